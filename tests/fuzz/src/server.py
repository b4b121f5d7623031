"""A server process of its own, with a few classes, objects and users for random requests."""

import json
import re
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[3]
PASSWORD = "correct horse"
KEYS = ("first", "second", "a/b c")
FIELDS = {
    "title": "String",
    "pages": "Integer",
    "price": "Double",
    "sold": "Boolean",
    "at": "DateTime",
    "place": "GeoPoint",
    "more": "JsonObject",
    "tags": "collection.List[/db/String]",
    "marks": "collection.Set[/db/Integer]",
    "notes": "collection.Map[/db/String,/db/String]",
}


class Server:
    """Runs from entering to leaving the context; its log is stored."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="orestes-fuzz-")
        folder = Path(self._folder.name)
        self._log = folder / "log"
        flags = ["--port", "0", "--data", str(folder / "data"), "--root-password", PASSWORD, "--rate-limit", "off"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(ROOT / "orestes"), "start", *flags], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )
        self.url = self._readiness() + "/v1"
        return self

    def __exit__(self, *failure):
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)
        self._process.stdout.close()
        self._folder.cleanup()

    def _readiness(self):
        for line in self._process.stdout:
            ready = re.match(rb"ready on (http://[^/\s]+)", line)
            if ready:
                return ready.group(1).decode()
        raise RuntimeError("the server ended before it was ready:\n" + self.log())

    def log(self):
        return self._log.read_text(errors="replace")

    def send(self, method, path, body=None, token=None):
        """Returns status, headers and text of the answer."""
        request = urllib.request.Request(self.url + path, method=method)
        if token is not None:
            request.add_header("Authorization", "BAT " + token)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.headers, refusal.read().decode()

    def login(self, name):
        _, headers, _ = self._expect("POST", "/db/User/login", {"username": name, "password": PASSWORD})
        return headers["baqend-authorization-token"]

    def register(self, name):
        """Returns the id and the token of a new user."""
        body = {"user": {"username": name}, "password": PASSWORD, "login": True}
        _, headers, text = self._expect("POST", "/db/User/register", body)
        return json.loads(text)["id"], headers["baqend-authorization-token"]

    def fill(self, token):
        """Creates classes with fields of many types, and objects. Destructive operations use Scratch."""
        for name in ("Book", "Scratch"):
            self._expect("POST", "/schema", describe(name), token)
            for key in KEYS:
                self._expect("POST", "/db/" + name, {"id": _id(name, key), "title": key, "pages": 7, "tags": ["x"]}, token)
        self._expect("POST", "/index/Book", {"keys": [{"pages": "asc"}]}, token)
        body = {"bucket": "Book", "query": {"pages": {"$gte": {"$param": "least"}}}, "parameters": {"least": "/db/Integer"}}
        return json.loads(self._expect("POST", "/query", body, token)[2])["id"]

    def begin(self, token):
        """Returns the identity of a new transaction."""
        return json.loads(self._expect("POST", "/transaction", None, token)[2])["tid"]

    def _expect(self, method, path, body, token=None):
        answer = self.send(method, path, body, token)
        if answer[0] >= 300:
            raise RuntimeError(f"{method} {path}: {answer[0]} {answer[2]}")
        return answer


def _id(name, key):
    return f"/db/{name}/{quote(key, safe='')}"


def describe(name):
    """Returns a class in the form of the interface."""
    fields = {field: {"name": field, "type": "/db/" + type} for field, type in (FIELDS | {"next": name}).items()}
    return {"class": "/db/" + name, "fields": fields}
