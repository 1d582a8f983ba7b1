# Tallyroom in one image, for a server that is alone and for workers over databases of their own (docs/howto/containers.md).

FROM node:22-slim AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY web ./
# It goes to /build/src/tallyroom/server/ui/static.
RUN npm run build --silent

FROM python:3.13-slim AS build
# The environment is made where it will be used: its commands name their Python by its full path.
ENV UV_PROJECT_ENVIRONMENT=/opt/tallyroom \
    UV_LINK_MODE=copy \
    UV_NO_CACHE=1 \
    UV_PYTHON_DOWNLOADS=never
RUN pip install --no-cache-dir --disable-pip-version-check uv==0.13.8
WORKDIR /build
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --frozen --no-dev --extra cluster --no-install-project --compile-bytecode
COPY src ./src
COPY --from=web /build/src/tallyroom/server/ui/static ./src/tallyroom/server/ui/static
RUN uv sync --frozen --no-dev --extra cluster --no-editable --compile-bytecode

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Tallyroom" \
      org.opencontainers.image.description="Event analytics, bot statistics and chart images from one small server." \
      org.opencontainers.image.licenses="Apache-2.0"
# Pictures have typefaces of their own; these add Chinese, Japanese and Korean, and emoji in color.
# hadolint ignore=DL3008 # versions follow the base image, whose distribution keeps no old ones
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-noto-cjk fonts-noto-color-emoji \
    && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 10001 tallyroom \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin tallyroom \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data /backups
COPY --from=build /opt/tallyroom /opt/tallyroom
ENV PATH=/opt/tallyroom/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    TALLYROOM_HOST=0.0.0.0 \
    TALLYROOM_DATA=/data \
    TALLYROOM_FONT_FOLDERS=/usr/share/fonts/opentype/noto:/usr/share/fonts/truetype/noto
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8480
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/opt/tallyroom/bin/python", "-ISc", "import http.client as http, os; asked = http.HTTPConnection('127.0.0.1', int(os.environ.get('TALLYROOM_PORT', 8480)), timeout=4); asked.request('GET', '/healthz'); raise SystemExit(asked.getresponse().status != 200)"]
ENTRYPOINT ["/opt/tallyroom/bin/tallyroom"]
CMD ["serve"]
