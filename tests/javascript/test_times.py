"""What pages read in texts of strangers takes a time that is linear in their length."""

import pytest

from .modules import evaluate

TIME = """(() => {
    const seconds = (repetitions) => {
        const text = example.before.repeat(repetitions) + example.piece.repeat(repetitions);
        const times = [0, 1, 2].map(() => {
            const start = process.cpuUsage();
            %s
            const { user, system } = process.cpuUsage(start);
            return (user + system) / 1e6;
        });
        return Math.min(...times);
    };
    const length = Math.ceil(12_000 / example.piece.length);
    seconds(length);
    return [seconds(length), seconds(4 * length)];
})()"""
NUMBERS = """
    module.numbersIn(text);
    const index = new module.NumberIndex();
    index.add(text, "p1");
    index.missing(text);
    index.occurrences(text);
"""
PASSAGES = """
    module.sentencesIn(text);
    const index = new module.PassageIndex();
    index.add("p1", text);
    index.best(text);
    index.rareWordPlaces(text);
"""
COMMON_PIECES = [*"[]()*_`<>{}|#&!-1a", " ", "\n", "\u200b", "\u0661", "\u0301", "<think>", "1,", "1 1", "a "]
NUMBER_PIECES = [
    "1 ",
    "2 km ",
    "1,111,",
    "1 111 ",
    "[1, ",
    "[1,",
    "[",
    "[3, 8], ",
    "p. 5 ",
    "two hundred ",
    "a third ",
    "1½",
]
ANSWER = """
    for (const kind of ["text", "urls"]) {
        const question = { key: "a", kind, required: true, show_when: {}, require_when: {}, options: [] };
        module.problems({ questions: [question] }, { a: `a${text}b` });
    }
"""
ANSWER_PIECES = [" ", "\t", "\n", "\r", "a.", "a:", "http://a.", "https://a.b/ ", "\0", "a\n"]
TEXT_PIECES = ["A. ", "e.g. ", "Dr. A. ", "a’s ", ". ", "? A", "!”) ", "e\u0301", "1.5 ", "Word. "]


@pytest.mark.parametrize(
    ("module", "call", "pieces"),
    [
        ("workspace/numbers.js", NUMBERS, NUMBER_PIECES),
        ("workspace/passage_ranking.js", PASSAGES, TEXT_PIECES),
        ("shared/protocol.js", ANSWER, ANSWER_PIECES),
    ],
)
def test_the_time_is_linear_in_the_text(module: str, call: str, pieces: list[str]) -> None:
    examples = [{"before": before, "piece": piece} for piece in (*pieces, *COMMON_PIECES) for before in ("", " ")]
    for example, (once, four_times) in zip(examples, evaluate(module, TIME % call, examples), strict=True):
        assert four_times < 9 * once + 0.1, example
