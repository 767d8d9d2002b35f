# Short names for what developers run; each needs .venv, which `just setup` makes.
# .ci/run does not use this file: a fresh machine may lack just.

bin := ".venv/bin"

# list the recipes
default:
    @just --list

# make .venv with everything a developer needs, and install the git hooks if pre-commit is there
setup:
    python3 -m venv .venv
    {{bin}}/pip install -q -e '.[dev,bench]'
    if command -v pre-commit >/dev/null; then pre-commit install -t pre-commit -t pre-push; fi

# rewrite what can be put right by machine
format:
    {{bin}}/ruff check --fix .
    {{bin}}/ruff format .

# style, types and import contracts
check:
    {{bin}}/ruff check .
    {{bin}}/ruff format --check .
    {{bin}}/mypy
    {{bin}}/lint-imports

# the fast tests, on all cores; `just test -k path -x` passes arguments on
test *args:
    {{bin}}/python -m pytest -q {{args}}

# all tests, the slow ones too, or the pieces named
test-all *pieces:
    .ci/all {{pieces}}

# switch off each clause (or the one named) and write the ledger
mutate clause="":
    {{bin}}/marchtable rules {{clause}} --mutate

# what each clause's status is
coverage:
    {{bin}}/marchtable rules --coverage

# what a rulebook can define: hooks and attributes, counted
hooks:
    {{bin}}/python -m tests.hooks

# time the search kernel against its rivals; writes benchmarks/results
bench:
    {{bin}}/python -m benchmarks.reach

# how the two latest results differ
bench-cmp:
    ls benchmarks/results/*-reach.md | tail -2 | xargs diff -y --suppress-common-lines || true

# write the examples in README.md and docs/json.md anew
docs:
    {{bin}}/python -m tests.examples

# build the docs site in build/site, warnings as errors
site:
    {{bin}}/pip install -q -e '.[docs]'
    {{bin}}/mkdocs build --strict -f .mkdocs.yml -d build/site

# all that must hold before a change is taken in
ci:
    .ci/run
