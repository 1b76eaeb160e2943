"""What the server runs: ``python -m streamlit run app/main.py``.

It serves the pages that ``shell.py`` navigates, behind the project's middleware.
"""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import config, net_util
from streamlit.components.v2.bidi_component import main as component_state
from streamlit.runtime import app_session
from streamlit.string_util import to_snake_case
from streamlit.web.server.server_util import get_url

# ``streamlit run`` puts app/ on the path, ``python -m`` the folder it is started from.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from loading import load_libraries
from middleware import FrontEnd, SecurityHeaders
from tables import divisor_table_file, path_of
from wakeups import install as install_wakeups

# A page opened from a host that Streamlit does not know would make it ask another host for this
# machine's public address. Nothing here leaves the machine.
net_util.get_external_ip = lambda: None

# Streamlit looks through all its options six times a run for those of the theme and respells their
# names, a seventh of the server's time under a crowd. They do not change while it runs.
config.get_options_for_section = cache(config.get_options_for_section)
# It makes a new class whenever what a component holds is looked at, several times a run, so that a
# script may write to it as well. Ours only read.
component_state.make_bidi_component_presenter = lambda *_: None  # type: ignore[attr-defined,assignment]
install_wakeups()
vars(app_session)["to_snake_case"] = cache(to_snake_case)


def preload() -> None:
    """Load what the first page needs, while the server already answers."""
    load_libraries()
    # What is loaded by now stays until the end: no collection need look at it, and the end is
    # quicker.
    gc.freeze()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Say where the pages are, for this machine and for a class in the same network."""
    Thread(target=preload).start()
    print(f"\n  Here:            {get_url('localhost')}", flush=True)
    everywhere = st.get_option("server.address") in (None, "0.0.0.0", "::")
    if everywhere and (address := net_util.get_internal_ip()):
        print(f"  In this network: {get_url(address)}\n", flush=True)
    yield


app = st.App(
    "shell.py",
    lifespan=lifespan,
    routes=[Route(path_of("divisor.json"), divisor_table_file)],
    middleware=[Middleware(SecurityHeaders), Middleware(FrontEnd)],
)
