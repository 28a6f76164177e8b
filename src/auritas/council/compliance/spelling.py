"""British and American spelling, by words that are spelled in one way on either side.

Words in -ize are not here, since both spellings are British; neither are words that are right in some other sense, such
as practice, check, draft and program.
"""

import re

_PAIRS = """
analyse analyze|analysed analyzed|analysing analyzing|armour armor|behaviour behavior|behaviours behaviors|
cancelled canceled|cancelling canceling|catalogue catalog|centre center|centres centers|centimetre centimeter|
centimetres centimeters|colour color|colours colors|coloured colored|colourful colorful|counsellor counselor|
defence defense|dialled dialed|endeavour endeavor|favour favor|favourable favorable|favourite favorite|
favourites favorites|fibre fiber|fibres fibers|flavour flavor|flavours flavors|fulfil fulfill|grey gray|harbour harbor|
honour honor|honoured honored|honourable honorable|humour humor|jewellery jewelry|kilometre kilometer|
kilometres kilometers|labelled labeled|labelling labeling|labour labor|litre liter|litres liters|manoeuvre maneuver|
marvellous marvelous|metres meters|millimetre millimeter|millimetres millimeters|modelled modeled|modelling modeling|
mould mold|moustache mustache|neighbour neighbor|neighbours neighbors|neighbourhood neighborhood|offence offense|
odour odor|paediatric pediatric|parlour parlor|plough plow|pyjamas pajamas|rumour rumor|rumours rumors|
saviour savior|sceptical skeptical|skilful skillful|smoulder smolder|splendour splendor|theatre theater|
theatres theaters|travelled traveled|traveller traveler|travellers travelers|travelling traveling|tumour tumor|
tumours tumors|tyres tires|vapour vapor|vigour vigor|wilful willful|woollen woolen
"""
_BRITISH_TOO = frozenset({"gray", "meters", "tires"})
"""A unit of dose, instruments, and what a long day does."""
_WORD = re.compile(r"(?<![\w./#-])[a-z]+(?![\w/(=:-])")
"""In lower case: names keep their own spelling. Not inside addresses, paths and code."""


def _sides() -> tuple[frozenset[str], frozenset[str]]:
    pairs = [pair.split() for pair in "".join(_PAIRS.split("\n")).split("|")]
    return frozenset(pair[0] for pair in pairs), frozenset(pair[1] for pair in pairs) - _BRITISH_TOO


BRITISH, AMERICAN = _sides()


def british_words(text: str) -> tuple[str, ...]:
    """Return the words in British spelling, in order."""
    return tuple(word for word in _WORD.findall(text) if word in BRITISH)


def american_words(text: str) -> tuple[str, ...]:
    """Return the words in American spelling, in order."""
    return tuple(word for word in _WORD.findall(text) if word in AMERICAN)
