"""
Sends random requests to a server anonymously, as a user and as root, by its OpenAPI document and
with a fixed seed, and checks that the answers are as documented and that the server is unharmed.
Every operation is a test case for each of the three.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape

import openapi_spec_validator
from server import FIELDS, KEYS, Server, describe

HOME = Path(__file__).resolve().parents[1]
SEED = 20130901
IS_SHORT = os.environ.get("ORESTES_TEST_SCOPE") == "short"
LEAST = 1500 if IS_SHORT else 5000
EXAMPLES = {"anonymous": 3, "user": 3, "root": 9} if IS_SHORT else {"anonymous": 10, "user": 10, "root": 30}

FILTERS = ['{}', '{"pages":{"$gt":3}}', '{"title":{"$regex":"^f"},"tags":{"$in":["x"]}}', '{"$or":[{"sold":true},{"next":null}]}']

# Operations that are left out with a session, and the reason. Each has tests of its own.
LEFT_OUT_WITH_SESSION = {
    "logout": "ends the session of the run",
    "removePassword": "ends the session of the run",
}


def main():
    reports = Path(os.environ.get("ORESTES_TEST_REPORTS") or tempfile.mkdtemp(prefix="orestes-fuzz-reports-"))
    with Server() as server:
        spec = server.send("GET", "/spec")[2]
        document = reports / "openapi.json"
        document.write_text(spec)
        root = server.login("root")
        known = names(server, root, server.fill(root))
        callers = {"anonymous": None, "user": server.register("reader")[1], "root": root}
        runs = [run(caller, token, server, document, known, reports) for caller, token in callers.items()]
        passed = report(reports, {
            "document_validates": lambda: openapi_spec_validator.validate(json.loads(spec)),
            "requests_areEnough": lambda: enough(runs),
            "server_afterwards_isReady": lambda: ready(server),
            "session_afterwards_isValid": lambda: valid(server, root),
            "log_afterwards_tellsOfNoFault": lambda: silent(server),
        })
    return 0 if passed and all(code == 0 for code, _ in runs) else 1


def names(server, root, query):
    """Values of parameters of existing things: those in use, and those that may be destroyed."""
    member, victim = (server.register(name)[0] for name in ("member", "victim"))
    keys = [quote(name, safe="") for name in KEYS]
    used = {
        "bucket": ["Book"],
        "oid": [*keys, key(member)],
        "qid": [key(query)],
        "tid": [server.begin(root) for _ in range(60)],
        "field": [*FIELDS],
        "ip": ["127.0.0.1"],
        "q": FILTERS,
        "sort": ['{"pages":1}', '{"title":-1,"id":1}'],
        "ref": ["/db/Book", "/db/Book/first", member],
        "caller": ["", member],
    }
    destroyed = {"bucket": ["Scratch"], "oid": [*keys, key(victim)]}
    classes = [describe(name) for name in ("Book", "Scratch")]
    return {"used": used, "destroyed": destroyed, "fields": [*FIELDS, "next"], "classes": classes}


def key(ref):
    return ref.rsplit("/", 1)[-1]


def run(caller, token, server, document, known, reports):
    """Returns the exit code and the number of answers by status."""
    answers = reports / f"{caller}.json"
    left_out = set() if token is None else {*LEFT_OUT_WITH_SESSION, *never_granted(document)}
    command = [Path(sys.executable).with_name("schemathesis"), "--config-file", HOME / "schemathesis.toml", "run", document,
               "--url", server.url, "--seed", str(SEED), "--max-examples", str(EXAMPLES[caller]),
               "--report", "junit", "--report-junit-path", reports / f"{caller}.xml", "--no-color"]
    command += [flag for operation in sorted(left_out) for flag in ("--exclude-operation-id", operation)]
    command += ["-H", f"Authorization: BAT {token}"] if token else []
    environment = os.environ | {"PYTHONPATH": str(HOME / "src"), "SCHEMATHESIS_HOOKS": "steering",
                                "ORESTES_FUZZ_KNOWN": json.dumps(known), "ORESTES_FUZZ_ANSWERS": str(answers)}
    print(f"as {caller}", flush=True)
    code = subprocess.run([str(part) for part in command + sys.argv[1:]], env=environment, check=False).returncode
    return code, json.loads(answers.read_text())


def never_granted(document):
    """Operations that refuse all callers equally, such as planned ones; one caller is enough to test them."""
    paths = json.loads(document.read_text())["paths"].values()
    operations = [operation for path in paths for operation in path.values()]
    return [each["operationId"] for each in operations if not any(status.startswith("2") for status in each["responses"])]


def enough(runs):
    answers = [(label, count) for _, run in runs for label, count in run.items()]
    total = sum(count for _, count in answers)
    granted = sum(count for label, count in answers if label.rsplit(" ", 1)[1].startswith("2"))
    print(f"{total} requests, {granted} of them granted")
    assert total >= LEAST, f"only {total} requests were sent"
    assert granted >= total / 10, f"only {granted} of {total} requests were granted"


def ready(server):
    status, _, text = server.send("GET", "/-/ready")
    assert status == 200, text


def valid(server, token):
    status, _, text = server.send("GET", "/db/User/validate", token=token)
    assert status == 200, text


def silent(server):
    faults = [line for line in server.log().splitlines() if any(word in line for word in ("WARN", "ERROR", "Exception"))]
    assert not faults, "\n".join(faults[:40])


def report(reports, checks):
    """Runs the checks and writes a test case for each."""
    failures = {name: failure(check) for name, check in checks.items()}
    cases = [f'<testcase classname="fuzz" name="{name}">{text}</testcase>' for name, text in failures.items()]
    (reports / "fuzz.xml").write_text("<testsuite name=\"fuzz\">" + "".join(cases) + "</testsuite>")
    return not any(failures.values())


def failure(check):
    try:
        check()
        return ""
    except Exception as fault:
        print(fault)
        return f"<failure>{escape(str(fault))}</failure>"


if __name__ == "__main__":
    sys.exit(main())
