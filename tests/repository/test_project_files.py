"""The files that hosting services and tools read: license, workflow, issue templates, pre-commit hooks."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import yaml

from tests.conftest import CODE

PROJECT = tomllib.loads((CODE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def load(name: str) -> Any:
    return yaml.safe_load((CODE / name).read_text(encoding="utf-8"))


def test_the_license_is_apache_2() -> None:
    assert (PROJECT["license"], PROJECT["license-files"]) == ("Apache-2.0", ["LICENSE"])
    assert "Apache License\n                           Version 2.0" in (CODE / "LICENSE").read_text(encoding="utf-8")


def test_the_workflow_runs_ci_with_every_supported_python() -> None:
    job = load(".github/workflows/ci.yml")["jobs"]["check-and-test"]
    first, last = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    assert job["strategy"]["matrix"]["python"] == [f"3.{minor}" for minor in range(int(first), int(last))]
    step = job["steps"][-1]
    assert step["run"] == "make check test-all"
    # scripts/setup.sh tries PYTHON3 before any other Python.
    assert step["env"] == {"PYTHON3": "${{ steps.python.outputs.python-path }}"}
    assert "for candidate in ${PYTHON3:-} python3 " in (CODE / "scripts" / "setup.sh").read_text(encoding="utf-8")


def test_an_issue_template_asks_for_something() -> None:
    for name in ("bug.yml", "feature.yml"):
        template = load(f".github/ISSUE_TEMPLATE/{name}")
        assert {"name", "description", "body"} <= set(template)
        assert any(field.get("validations", {}).get("required") for field in template["body"])


def test_the_hooks_call_locked_tools() -> None:
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    lock = (CODE / "requirements-dev.lock").read_text(encoding="utf-8")
    packages = {"lint-imports": "import-linter", "python": "django"}
    scripts = json.loads((CODE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for hook in repository["hooks"]:
        if script := re.match(r"scripts/node_tool\.sh ([^/]+)/", hook["entry"]):
            assert f"node_modules/{script[1]}" in scripts, hook["id"]
            continue
        tool = re.search(r"\.venv/bin/(\S+)", hook["entry"])
        assert tool and f"\n{packages.get(tool[1], tool[1])}==" in f"\n{lock}", hook["id"]


def test_the_lock_of_the_image_has_the_same_packages_and_the_optional_ones() -> None:
    locks = [(CODE / f"requirements{kind}.lock").read_text(encoding="utf-8") for kind in ("", "-all", "-dev")]
    site, complete, development = ({*re.findall(r"^\S+==\S+", lock, re.M)} for lock in locks)
    optional = {name: packages for name, packages in PROJECT["optional-dependencies"].items() if name != "dev"}
    assert site < complete
    assert complete - site <= development  # so the tests run with the same versions
    assert {f"factuary[{name}]" for name in optional} <= set(PROJECT["optional-dependencies"]["dev"])
    for package in (package for packages in optional.values() for package in packages):
        assert any(line.startswith(f"{package}==") for line in complete - site)
    assert "-r requirements-all.lock" in (CODE / "Dockerfile").read_text(encoding="utf-8")


def test_packages_are_compared_with_advisories_which_must_be_reached(tmp_path: Path) -> None:
    assert load(".github/workflows/ci.yml")["jobs"]["audit"]["steps"][-1]["run"] == "scripts/audit_packages.sh"
    pipx, environment = tmp_path / "pipx", {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    for status, message in ((0, ""), (1, ""), (2, "NOT CHECKED"), (127, "NOT CHECKED")):
        pipx.write_text(f"#!/bin/sh\nexit {status}\n", encoding="ascii")
        pipx.chmod(0o755)
        if status == 127:
            pipx.unlink()
        script = CODE / "scripts" / "audit_packages.sh"
        answer = subprocess.run([script], cwd=CODE, env=environment, capture_output=True, text=True)
        assert (answer.returncode, message in answer.stderr) == (status, True)


def test_each_release_since_0_7_1_has_a_recorded_site_for_the_tests_of_upgrades() -> None:
    released = re.findall(r"^## (\d+\.\d+\.\d+)$", (CODE / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert "0.7.1" in released
    for version in released[: released.index("0.7.1") + 1]:
        assert (CODE / "fixtures" / version / "site.sql.xz").is_file(), f"record the site of {version} (tests/upgrade)"
