# The command etalon in a small image.
#
#   docker build -t etalon .
#   docker run --rm -v "$PWD:/work" etalon check problems.jsonl claims.jsonl
#
# A solver under test runs beside etalon, in the same container. So its image begins with this one, or takes the program
# from it: COPY --from=etalon /usr/local/bin/etalon /usr/local/bin/etalon (a Debian of this age or newer).
FROM rust:1.90-slim-bookworm AS build
RUN apt-get update -qq && apt-get install -y -qq gcc libc6-dev m4 make >/dev/null
WORKDIR /etalon
COPY . .
RUN cargo install --locked --path crates/cli --root /usr/local

FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/etalon /usr/local/bin/etalon
# The README says under which licences GMP and MPFR are inside the program, and how to relink it.
COPY --from=build /etalon/README.md /etalon/LICENSE-MIT /etalon/LICENSE-APACHE /etalon/NOTICE /usr/share/doc/etalon/
WORKDIR /work
ENTRYPOINT ["etalon"]
