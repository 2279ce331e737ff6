import os
import subprocess

from tests.conftest import CODE

CHOSEN = {"PORT": "8010", "DATA_DIR": "elsewhere"}


def make(*arguments: str, **variables: str) -> str:
    """Return what make prints, without the variables of the `make test` that may run this."""
    environment = {"PATH": os.environ["PATH"], **variables}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=CODE, env=environment, capture_output=True, text=True, check=True).stdout


def commands(*arguments: str, **variables: str) -> str:
    """Return the commands that make would run."""
    return make("--dry-run", *arguments, **variables)


def test_port_and_folder_of_a_site_and_a_part_of_the_tests_can_be_named():
    demo = commands("demo")
    assert '--port "8000" --data-dir ".factuary"' in demo
    assert commands("dev").splitlines()[-1] == demo.splitlines()[-1] + " --dev"
    for chosen in (commands("demo", *map("=".join, CHOSEN.items())), commands("demo", **CHOSEN)):
        assert '--port "8010" --data-dir "elsewhere"' in chosen
    for target in ("test", "test-quick"):
        assert commands(target, "ARGS=tests/queue -k lease").endswith(" tests/queue -k lease\n")


def test_make_help_lists_every_target():
    makefile = (CODE / "Makefile").read_text(encoding="utf-8")
    (targets,) = [line.split()[1:] for line in makefile.splitlines() if line.startswith(".PHONY:")]
    assert [line.split()[1] for line in make("help").splitlines()] == targets
