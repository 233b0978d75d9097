"""Makes the pictures of README.md: the interactive page with a solver that is wrong, and a report.

    python3 crates/book/pictures.py

needs the command `etalon` on the path, Debian's chromium and chromium-driver, and nothing else. It takes half a minute.
"""

import base64
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs/pictures"
DRIVER = "http://127.0.0.1:9517"
BROWSER = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]

# Two sweeps of projected Gauss-Seidel, which are too few: blocks sink into the floor and part from the right motion.
CHOOSE = """
for (const [id, value] of [["solver", "gauss_seidel"], ["sweeps", "2"]]) {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event("change"));
}
"""
IS_WRONG = """return document.getElementById("ruling").dataset.verdict === "wrong" && !document.getElementById("force-legend").hidden"""


def ask(method, path, body=None):
    """A request of the WebDriver protocol."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(DRIVER + path, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["value"]


class Tab:
    """A window of the browser."""

    def __init__(self):
        capabilities = {"alwaysMatch": {"goog:chromeOptions": {"args": BROWSER}}}
        self.path = "/session/" + ask("POST", "/session", {"capabilities": capabilities})["sessionId"]

    def open(self, address, width, height):
        ask("POST", self.path + "/window/rect", {"width": width, "height": height})
        ask("POST", self.path + "/url", {"url": address})

    def run(self, script):
        return ask("POST", self.path + "/execute/sync", {"script": script, "args": []})

    def until(self, script):
        for _ in range(300):
            if self.run(script):
                return
            time.sleep(0.1)
        sys.exit(f"not seen in 30 s: {script}")

    def picture(self, name):
        PICTURES.mkdir(exist_ok=True)
        file = PICTURES / name
        file.write_bytes(base64.b64decode(ask("GET", self.path + "/screenshot")))
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size} bytes")

    def close(self):
        ask("DELETE", self.path)


def page(tab):
    server = subprocess.Popen(["etalon", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        tab.open(next(word for word in line.split() if word.startswith("http://")), 1280, 800)
        tab.until("return document.getElementById('link').dataset.state === 'open'")
        tab.run(CHOOSE)
        tab.until(IS_WRONG)
        time.sleep(1)
        tab.picture("page.png")
    finally:
        server.terminate()
        server.wait()


def report(tab, folder):
    folder = Path(folder)
    shutil.copy(ROOT / "crates/cli/tests/wrong_on_ties.py", folder / "my_solver.py")
    made = subprocess.run(["etalon", "gen", "degenerate", "--n", "6", "--count", "100", "--seed", "1"], check=True, stdout=subprocess.PIPE)
    (folder / "problems.jsonl").write_bytes(made.stdout)
    command = ["etalon", "report", "--quiet", "--solver", "mine=python3 my_solver.py", "--out", "report.html", "problems.jsonl"]
    subprocess.run(command, check=True, cwd=folder)
    tab.open((folder / "report.html").as_uri(), 1000, 965)
    tab.run("document.querySelector('#failures').scrollIntoView()")
    tab.picture("report.png")


def main():
    driver = subprocess.Popen(["chromedriver", "--port=9517", "--silent"])
    try:
        for _ in range(100):
            try:
                ask("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        tab = Tab()
        with tempfile.TemporaryDirectory() as folder:
            page(tab)
            report(tab, folder)
        tab.close()
    finally:
        driver.terminate()
        driver.wait()


main()
