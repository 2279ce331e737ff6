"""An article and a response for the tests of evidence."""

from annotation.models import Document, Item, Response

from ..cast import Study

SECTIONS = [
    ("Abstract", 1, ["Terns 🐦 fly further on turbid days, as we show for one colony BIBREF3 over three summers."]),
    ("Methods", 1, []),
    ("Loggers", 2, ["Forty adults carried loggers. Each weighed 1.9 g. The harbour was calm."]),
    (
        "Results",
        1,
        ["The median range was 11.8 km on clear days. On turbid days it grew to 17.3 km.", "Chicks grew all the same."],
    ),
    ("Discussion", 1, ["A range of this size is what others saw, too. " * 30, "The harbour & its <silt> stay."]),
]
SENTENCES = [
    "The range grew to 17.30 km on turbid days.",
    "Each of the 45 loggers weighed 1.9 g.",
    "Wholly unrelated zebras danced.",
    "Chicks grew.",
]
GREW = "On turbid days it grew to 17.3 km."


def write_sections(june: Study) -> None:
    """Give every document of the study the article above, and the first response the sentences."""
    for document in Document.objects.all():
        numbers = iter(range(1, 100))
        document.sections = [
            {
                "heading": heading,
                "level": level,
                "paragraphs": [{"id": f"p{next(numbers)}", "kind": "text", "text": text} for text in texts],
            }
            for heading, level, texts in SECTIONS
        ]
        document.save()
    for response in Response.objects.all():
        index = 0
        for item, sentence in zip(Item.objects.filter(response=response).order_by("position"), SENTENCES, strict=True):
            Item.objects.filter(pk=item.pk).update(text=sentence, start=index, end=index + len(sentence))
            index += len(sentence) + 1
        response.text = "\n".join(SENTENCES)
        response.save()
