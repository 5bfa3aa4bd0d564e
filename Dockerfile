# linkpress without Python on your machine. In the folder of the sources:
#     docker build -t linkpress .
# Then, in the folder of your books:
#     docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/books" linkpress build my-book.yaml
FROM python:3.14-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
COPY . /source
RUN LINKPRESS_BUILD=compiled pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.14-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir /wheels/linkpress-*.whl && linkpress doctor
# The container is thrown away, so the ledger of published puzzles is kept beside the books.
ENV LINKPRESS_LEDGER=/books/ledger.sqlite3
WORKDIR /books
ENTRYPOINT ["linkpress"]
