"""Every page of the explorer, in the order of the navigation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One page: its file in ``views``, its title, icon and address."""

    view: str
    title: str
    icon: str
    url_path: str

    @property
    def file(self) -> str:
        """The page's file, as `st.page_link` and `st.switch_page` want it."""
        return f"views/{self.view}.py"

    @property
    def symbol(self) -> str:
        """The icon, as Streamlit wants it."""
        return f":material/{self.icon}:"


HOME = Entry("home", "Why √dₖ?", "home", "")

GROUPS = {
    "See it": (
        Entry("divisor", "Change the divisor", "tune", "divisor"),
        Entry("head_width", "Widen the head", "width", "head-width"),
        Entry("sweep", "Sweep the width", "monitoring", "sweep"),
    ),
    "Break it": (
        Entry("assumptions", "When the assumptions fail", "link", "assumptions"),
        Entry("more_keys", "More keys", "key", "more-keys"),
        Entry("other_ways", "Other ways to tame scores", "alt_route", "other-ways"),
        Entry("masks", "Masks", "grid_on", "masks"),
        Entry("mistakes", "Common mistakes", "bug_report", "mistakes"),
        Entry("formats", "Number formats", "memory", "formats"),
    ),
    "Prove it": (
        Entry("gradients", "Where gradients go", "trending_down", "gradients"),
        Entry("heads", "Trained heads", "psychology", "heads"),
        Entry("own", "Your own Q, K, V", "upload_file", "own"),
        Entry("cost", "Cost and variants", "savings", "cost"),
    ),
    "Teach it": (
        Entry("teach", "Lessons", "school", "teach"),
        Entry("quiz", "Quiz", "quiz", "quiz"),
    ),
}

PAGES = {entry.url_path: entry for entry in (HOME, *(e for g in GROUPS.values() for e in g))}
