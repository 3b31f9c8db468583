# A node in a container: built with the Swift toolchain, run on a small Debian without it.

FROM swift:6.3-bookworm AS build
WORKDIR /baton
COPY Scripts/install-dependencies Scripts/
RUN Scripts/install-dependencies build
COPY Package.swift ./
COPY Scripts/build-release Scripts/
COPY Sources Sources
# Nothing here is built from these, but the manifest names their folders.
COPY Tests Tests
COPY Benchmarks Benchmarks
COPY Examples Examples
RUN Scripts/build-release && install -D -t /baton/bin .build/release/baton .build/release/baton-node

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends libsqlite3-0 libssl3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --home-dir /var/lib/baton --no-create-home --shell /bin/bash baton \
    && install -d -o baton -g baton -m 0700 /var/lib/baton /pairing
COPY --from=build /baton/bin/ /usr/local/bin/
COPY Docker/entrypoint /usr/local/bin/baton-entrypoint

USER baton
WORKDIR /var/lib/baton
# The runtime folder holds what vouches for the home after a restart of the node alone. It must not outlive
# the container's run as the home does, so it is in memory; the entrypoint makes it. The socket is in the home.
ENV BATON_HOME=/var/lib/baton XDG_RUNTIME_DIR=/dev/shm/baton
VOLUME /var/lib/baton
EXPOSE 4817

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/bin/sh", "-c", "baton status || exit 1"]
ENTRYPOINT ["baton-entrypoint"]
CMD ["node"]
