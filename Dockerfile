# Any base with Python 3.11 or later as `python`, and `pip`.
ARG BASE=docker.io/library/python:3.13-slim

FROM ${BASE} AS build
WORKDIR /srv
COPY requirements.txt ./
# Into a folder of its own, which the image below takes over without pip or its leavings. What is
# removed is never run here and makes a third of the whole: the libraries' tests and headers, their
# notebook extensions, Arrow's clients for networks. Nothing is written when the container runs, so
# the bytecode is made now.
RUN python -m venv --without-pip /opt/app \
 && python -m pip --python /opt/app install --no-cache-dir --no-compile -r requirements.txt \
 && find /opt/app -type d '(' -name tests -o -name include ')' -prune -exec rm -r {} + \
 && rm -r /opt/app/etc /opt/app/share \
 && cd /opt/app/lib/python3*/site-packages \
 && rm -r plotly/labextension pyarrow/*_flight* pyarrow/*arrow_s3* pyarrow/_s3fs* pydeck/nbextension \
 && python -m compileall -q -j 0 --invalidation-mode unchecked-hash .
COPY app app
COPY core core
COPY assets assets
COPY .streamlit .streamlit
RUN python -m compileall -q --invalidation-mode unchecked-hash app core

FROM ${BASE}
# The base's package installer has done its work.
RUN rm -r "$(python -c 'import pip; print(*pip.__path__)')" "$(command -v pip)"*
COPY --from=build /opt/app /opt/app
COPY --from=build /srv /srv
WORKDIR /srv
ENV PATH=/opt/app/bin:$PATH \
    HOME=/tmp \
    PORT=8501 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OPENBLAS_NUM_THREADS=1 \
    STREAMLIT_SERVER_BASE_URL_PATH= \
    STREAMLIT_SERVER_HEADLESS=true
USER 10001:10001
EXPOSE 8501
STOPSIGNAL SIGTERM
# An unknown path answers 200 as well: only the body tells.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["python", "-c", \
  "import os, urllib.request as u; e = os.environ; p = e['STREAMLIT_SERVER_BASE_URL_PATH'].strip('/'); \
   b = u.urlopen(f\"http://127.0.0.1:{e['PORT']}/{p and p + '/'}_stcore/health\", timeout=4).read(); \
   raise SystemExit(b != b'ok')"]
CMD ["sh", "-c", "exec python -m streamlit run app/main.py --server.port=\"$PORT\""]
