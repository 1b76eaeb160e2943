"""The controls of the pages under Teach it: name in the URL, bounds, default and help of each."""

from control_types import Line, Number
from listed_controls import Choice
from quiz import QUESTIONS

# --- Lessons ------------------------------------------------------------------------------------
MINUTES = Choice(
    key="minutes",
    label="Minutes you have",
    options=(10, 25, 50),
    default=10,
)
SHARED_LINK = Line(
    key="link",
    label="Any link of the explorer",
    longest=600,
    help="Paste a page's “Link to this state”.",
)

# --- Quiz ---------------------------------------------------------------------------------------
QUESTION = Number(
    key="question",
    label="Question",
    default=1,
    low=1,
    high=len(QUESTIONS),
    step=1,
)
