"""Phrases of sentences that claim nothing: courtesy, remarks about the answer itself, titles of an outline.

All match a whole sentence in lower case, without emphasis, citations and edge marks (see `claim_marks.plain`).
"""

import re

from annotation.splitting.word_lists import word_set


def _one_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


def _rest(stops: str, most: int) -> str:
    """Return a pattern of at most `most` characters without the words `stops` and without contacts and numbers."""
    return rf"(?:(?!\b(?:{stops})\b)[^;:@\d]){{0,{most}}}"


# No reason, contrast or clause with a claim may follow.
_REST = _rest("because|since|but|however|although|which|whose|while", 110)
_SHORT_REST = _rest("because|since|but|however|although|which|while|that(?!$)", 60)
_TOPIC = r"(?:(?!\b(?:is|are|was|were|has|have|because|but|which|shows?|finds?|found)\b)[^;:]){0,90}"
_PLAN = r"(?:(?!\b(?:that|because|but|which|although|however)\b)[^;:]){0,120}"

_I_AM = r"(?:i'm|i am|i'd be|i would be|i'll be|i will be)"
_CONTACT = (
    r"(?:please )?(?:just )?(?:let me know|(?:feel free|do(?:n't| not) hesitate)"
    r"(?: to (?:ask|reach out|let me know|contact me|message me|share(?: them)?|follow up)"
    r"(?: (?:me|to me|again|them|away|anytime|any time|at any time|here|below|any(?: \w+){0,3} questions?))*)?)"
)
_OFFER = rf"{_I_AM} (?:more than )?(?:happy|glad|here|delighted) to (?:help|assist|answer|explain|elaborate|clarify)"

COURTESY = _one_of(
    rf"(?:thanks|thank you)(?: (?:so much|very much|a lot|again|in advance))?(?: for\b{_SHORT_REST})?",
    r"(?:you're|you are) (?:very |most )?welcome|my pleasure|no problem|glad to help",
    r"(?:hello|hi|hey|greetings|good (?:morning|afternoon|evening))(?: there| everyone| all)?",
    r"(?:(?:that's|that is|this is|what) an? )?(?:really |very )?(?:great|good|excellent|interesting|fascinating"
    r"|important|thoughtful|fantastic)(?: and \w+)? question(?: to ask)?"
    rf"(?:,? and (?:an? )?(?:\w+ ){{0,3}}one\b{_SHORT_REST})?",
    r"(?:great|good|excellent) (?:choice|idea)",
    r"(?:i (?:really )?|we )?hope (?:this|that|it|these|you find this)\b(?: \w+){0,2} ?"
    rf"(?:help(?:s|ed|ful)?|useful|answer(?:s|ed)|clarif(?:y|ies|ied)|clears?|assists?)\b{_SHORT_REST}",
    rf"{_CONTACT}(?: (?:if|whether|how|what|when|which|in case|for|with|about)\b{_REST})?",
    rf"(?:if|should) (?:you|there)\b{_REST}, {_CONTACT}",
    rf"(?:if|should) (?:you|there)\b{_REST}, {_OFFER}\b{_SHORT_REST}",
    rf"{_OFFER}\b{_SHORT_REST}",
    rf"(?:happy|glad) to (?:help|assist|elaborate|clarify)\b{_SHORT_REST}",
    r"(?:i (?:do )?apologi[sz]e|my apologies|(?:i'm |i am )?(?:very |so )?sorry) for (?:the|any|my|that) (?:\w+ )?"
    r"(?:confusion|mistake|error|inconvenience|misunderstanding|oversight)(?: \w+){0,4}",
    rf"(?:good|best of) luck(?: (?:with|on|in|to)\b{_SHORT_REST})?|enjoy(?: your \w+| it| reading)?",
    r"have an? (?:great|nice|good|wonderful) (?:day|one|time|weekend|evening)\b(?: \w+){0,2}",
    r"(?:best|kind|warm|warmest) (?:regards|wishes)|sincerely(?: yours)?|yours (?:truly|sincerely|faithfully)",
    rf"(?:sure|certainly|of course|absolutely|okay|ok|yes)(?: thing|,? i can (?:help|do)\b{_SHORT_REST}"
    rf"|,? (?:i'd|i'll|i would|i will) (?:be )?(?:happy|glad|help|do|try)\b{_SHORT_REST})",
)
AGREEMENT = word_set("sure certainly absolutely definitely gladly okay ok alright")
"""Courtesy only where nothing was asked that they answer."""

_PART = (
    r"(?:summar(?:y|ies)|overview|answer|response|reply|explanation|breakdown|outline|list|draft|version|rewrite"
    r"|examples?|tips|ideas|suggestions|points|steps|ways|table|essay|paragraph|letter|email|story|poem|script"
    r"|analysis|description|translation|paraphrase|guide|details|bullet points|discussion|information)"
)
_OWN_PART = rf"(?:(?:this|my) {_PART}(?: above)?|the (?:above|preceding) {_PART}|the {_PART} (?:above|below))"
_MANNER = (
    r"(?:an?|the|my|your|some|one|another|several|few|possible|brief|short|concise|detailed|quick|simple|more|general"
    r"|revised|updated|step-by-step|two|three|four|five|six|seven|eight|ten|\d{1,2}|key|main|important|useful|practical"
    r"|high-level|simplified|formal|\w+ed)"
)
_TELL = r"(?:explain|describe|summari[sz]e|outline|answer|discuss|provide|give|walk|break|list|cover|go|elaborate)"

LENGTH = _one_of(
    r"(?:total )?(?:word|character|sentence|token) ?count\s?[:=]\s?(?:approx(?:imately|\.)? |about |~)?\d[\d,]*"
    r"(?: (?:words|characters|tokens))?",
    r"(?:total|number of) (?:words|characters)\s?[:=]\s?\d[\d,]*|\d[\d,]* words(?: (?:exactly|in total))?",
)
"""The length of the answer: only at its end."""

META = _one_of(
    r"(?:(?:sure|certainly|of course|absolutely|ok(?:ay)?)[,!.]? )?"
    r"(?:here(?:'s| is| are)|below (?:is|are)|the following (?:is|are)|what follows is)"
    rf"(?: {_MANNER}){{0,5}} {_PART}"
    rf"(?: (?:of|for|on|about|to|in|from|with|based|you|as|summari[sz]ing|explaining)\b{_TOPIC})?",
    rf"in (?:this|my) (?:answer|response|reply|explanation|summary|overview),? (?:i|we)(?:'ll| will| have)\b{_PLAN}",
    rf"(?:i|we)(?:'ll| will| am going to|'m going to| can| could) (?:(?:now|first|briefly|try to|do my best to) )*"
    rf"{_TELL}\b{_PLAN}",
    r"i(?:'ve| have)? searched\b(?:(?!\bthat\b)[^;:]){0,110}",
    r"let(?:'s| us| me) (?:(?:now|first|briefly|quickly|try to) )*(?:explain|break|take a (?:closer |quick )?look|look"
    r"|dive|delve|explore|start|begin|go|summari[sz]e|walk|examine|discuss|elaborate|clarify"
    rf"|consider (?:each|them|both|these))\b{_PLAN}",
    rf"(?:please )?(?:note|keep in mind|be aware)(?: that|:)? {_OWN_PART}"
    rf" (?:is|was|may|might|does|only|cannot)\b{_PLAN}",
    rf"{_OWN_PART} (?:is|was|are) (?:not )?(?:(?:only|just|merely|intended|meant|solely|by no means) )*"
    r"(?:based (?:on|only)|exhaustive|comprehensive|complete|simplified|intended|meant|generated|written|limited to"
    r"|for (?:informational|educational)"
    rf"|an? (?:brief|short|simplified|general|high-level|basic|rough|quick))\b{_PLAN}",
    rf"{_OWN_PART} (?:(?:should|can) not be (?:taken|considered|used)|does not (?:constitute|cover|include))\b{_PLAN}",
    rf"{_OWN_PART} (?:covers|summari[sz]es|captures|provides|gives|contains) (?:only )?"
    rf"(?:the (?:main|key|most)|an? (?:brief|general|short|concise|high-level|basic|simplified))\b{_PLAN}",
    r"as an? (?:ai|artificial intelligence|language|large language)\b[^,;:]{0,40}, i\b"
    rf"(?:'m| am| do| can| cannot| have| don't| can't)\b(?! say\b){_PLAN}",
    r"(?:i|we)(?:'ve| have) (?:kept|written|shortened|revised|rewritten|summari[sz]ed|rephrased|updated)"
    rf" (?:the|this|your|a|my|it|an)\b{_PLAN}",
    r"end of (?:the )?(?:summary|answer|response|list|outline)|tl;dr|\(?continued\)?|to be continued",
)

OUTLINE = word_set(
    """
    introduction background conclusion conclusions summary overview methods methodology results discussion references
    abstract appendix acknowledgments acknowledgements bibliography preface contents examples pros cons advantages
    disadvantages benefits drawbacks limitations findings analysis objectives recommendations implications definitions
    """
)
OUTLINE_NEAR_OTHERS = word_set(
    """
    model models data dataset datasets experiments evaluation approach architecture training baselines setup motivation
    contributions procedure participants measures materials framework implementation design analysis
    """
)
"""Parts of a text where another entry names one, too: alone, "Model" may be an answer."""
OUTLINE_PHRASES = re.compile(
    r"(?:(?:experimental|experiment) (?:setup|design|results?|settings?)|implementation details|ablation stud(?:y|ies)"
    r"|problem (?:statement|formulation|definition)|(?:materials|methods|results|discussion|conclusions?)"
    r" (?:and|&) (?:methods|materials|discussion|conclusions?|limitations|future work)|limitations and future work"
    r"|proposed (?:method|model|approach)|future directions|study design|theoretical framework"
    r"|thesis statement|literature review|related work|future work|body paragraphs?(?: \w+)?|topic sentence"
    r"|restatement of (?:the )?thesis|call to action|closing (?:thoughts|remarks|statement)|final thoughts"
    r"|key takeaways?|table of contents|further reading|pros and cons|attention grabber|hook"
    r"|summary of (?:the )?(?:main|key) points"
    r"|background information|purpose of the (?:study|essay|paper)|research questions?|concluding remarks)"
)

CONNECTIVES = re.compile(
    r"(?:for example|for instance|however|therefore|thus|hence|moreover|furthermore|additionally|in addition"
    r"|in conclusion|in summary|in short|overall|that is|that said|as follows|and|or|but|also|where|then|so|finally"
    r"|firstly|secondly|lastly|to summari[sz]e|on the other hand|in contrast|similarly|meanwhile|otherwise"
    r"|in other words|note|namely)"
)
UNFINISHED_ENDS = word_set(
    """
    the a an of to and or with by for from is are was were that which as in on at its their this these than because
    """
)
