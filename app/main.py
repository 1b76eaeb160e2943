"""What the server runs: ``python -m streamlit run app/main.py``.

It serves the pages that ``shell.py`` navigates, behind the project's middleware.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit import net_util
from streamlit.web.server.server_util import get_url

# ``streamlit run`` puts app/ on the path, ``python -m`` the folder it is started from.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import what_runs
from loading import preload
from middleware import FrontEnd, SecurityHeaders
from tables import divisor_table_file, path_of
from trims import trim_streamlit

# A page opened from a host that Streamlit does not know would make it ask another host for this
# machine's public address. Nothing here leaves the machine.
net_util.get_external_ip = lambda: None

trim_streamlit()
what_runs.install()


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
