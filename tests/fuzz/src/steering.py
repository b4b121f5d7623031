"""
Loaded by schemathesis: directs some of its requests to existing objects, excludes those that the
run needs, and counts the answers. Replacements depend on the replaced value only, so that a run can
be repeated.
"""

import atexit
import collections
import hashlib
import json
import os

import schemathesis

KNOWN = json.loads(os.environ["ORESTES_FUZZ_KNOWN"])

# Members of bodies that the interface interprets; others become fields of the class Book.
WORDS = {"operations", "insert", "replace", "update", "delete", "id", "version", "acl", "ifMatch", "read", "write"}

answers = collections.Counter()


@schemathesis.hook
def before_call(context, case, kwargs):
    names = KNOWN["destroyed"] if _destroys(case) else KNOWN["used"]
    for values in (case.path_parameters, case.query):
        for name in values:
            values[name] = _steered(names.get(name, []), case.operation.label, name, values[name])
    if case.path == "/schema" and case.method == "PUT" and isinstance(case.body, list):
        case.body = [*KNOWN["classes"], *case.body]
    elif case.path == "/db/{bucket}/events" and _is_silent(case.query):
        case.query["initial"] = "true"
    elif case.path.startswith("/db/{bucket}"):
        case.body = _about_books(case.body)


def _destroys(case):
    return case.method == "DELETE" or (case.method == "PUT" and case.path.startswith("/schema"))


def _is_silent(query):
    """Returns whether the answer has no first event, which lasts until its time-out; one in eight is let through."""
    return str(query.get("initial")).lower() == "false" and _digest(query)[0] % 8 > 0


def _steered(known, label, name, value):
    """Replaces three in four random names by existing ones."""
    digest = _digest(label, name, value)
    return known[digest[1] % len(known)] if known and digest[0] % 4 > 0 else value


def _about_books(body):
    if isinstance(body, list):
        return [_about_books(element) for element in body]
    if isinstance(body, dict):
        return {_field(key): _about_books(value) for key, value in body.items()}
    return body


def _field(key):
    fields = KNOWN["fields"]
    return key if key in WORDS or key.startswith("$") else fields[_digest(key)[0] % len(fields)]


def _digest(*parts):
    return hashlib.sha256(repr(parts).encode(errors="replace")).digest()


@schemathesis.hook
def after_call(context, case, response):
    answers[f"{case.operation.label} {response.status_code}"] += 1


@atexit.register
def write_answers():
    with open(os.environ["ORESTES_FUZZ_ANSWERS"], "w") as file:
        json.dump(answers, file, indent=1)
