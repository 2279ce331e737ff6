"""Faults on a real site: parts are killed, disks fill, clocks jump, while simulated raters save and log the answers.

`python -m faults [SCENARIO...]` runs the scenarios on a site of its own, prints a JSON object for each, and exits with
1 if a promise of docs/faults.md was broken. A scenario is a function of a module in `scenarios/`; a new one needs
the decorator `scenario` and nothing else.
"""
