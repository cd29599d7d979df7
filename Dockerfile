# One image for all services and the command line: the command says which (meshroll-planner, -executor, -notifier, -api, meshroll).
# docs/how-to/deploy-with-compose.md

# What is compiled, as for the npm package.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json README.md LICENSE ./
COPY libs ./libs
COPY services ./services
COPY cli ./cli
COPY agent ./agent
COPY page ./page
COPY schema ./schema
COPY docs ./docs
COPY scripts ./scripts
RUN node scripts/setup.mjs scripts/package/main.ts

# What it needs, by the lock that the package carries.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages
WORKDIR /app
COPY --from=build /src/dist/package ./
# Optional is prebuilt code that makes some messages faster to pack; an image without it is the same on every machine.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
# git is what reads main and pushes the ledger; tini reaps the helpers that git leaves behind and passes signals on.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=1000 --group=1000 /var/lib/meshroll
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=1 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  MESHROLL_CLONE_DIR=/var/lib/meshroll/clone \
  MESHROLL_HEALTH_PORT=9090
WORKDIR /app
COPY --from=packages /app ./
COPY scripts/probe-health.mjs ./scripts/probe-health.mjs
RUN for each in bin/meshroll*.mjs; do ln -s "/app/$each" "/usr/local/bin/$(basename "$each" .mjs)"; done
# By number, so that Kubernetes sees that it is not root. Everything above belongs to root: nothing can be rewritten.
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "scripts/probe-health.mjs"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["meshroll", "--help"]
