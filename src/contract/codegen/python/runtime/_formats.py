"""Formats that need more than a pattern, with the verdicts of ajv-formats (RFC 3339, section 5.6)."""

from __future__ import annotations

import re
from calendar import monthrange

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2}(?:\.[0-9]+)?)(?:[zZ]|([+-])([0-9]{2})(?::?([0-9]{2}))?)"
)
# White space of ECMAScript, which differs from Python's.
_SEPARATOR = re.compile(
    "[tT\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
)


def is_date(text: str) -> bool:
    """Whether `text` is a full-date, such as 2024-02-29."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    # The calendar repeats every 400 years, and Python has no year 0.
    return 1 <= month <= 12 and 1 <= day <= monthrange(year % 400 + 400, month)[1]


def is_time(text: str) -> bool:
    """Whether `text` is a full-time, such as 23:59:60Z; a leap second must end a UTC day."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    hour, minute, second = int(match[1]), int(match[2]), float(match[3])
    sign = -1 if match[4] == "-" else 1
    offset_hour, offset_minute = int(match[5] or 0), int(match[6] or 0)
    if offset_hour > 23 or offset_minute > 59:
        return False
    if hour <= 23 and minute <= 59 and second < 60:
        return True
    utc_minute = minute - offset_minute * sign
    utc_hour = hour - offset_hour * sign - (1 if utc_minute < 0 else 0)
    return utc_hour in (23, -1) and utc_minute in (59, -1) and second < 61


def is_date_time(text: str) -> bool:
    """Whether `text` is a date and a time, separated by one T or one white space."""
    parts = _SEPARATOR.split(text)
    return len(parts) == 2 and is_date(parts[0]) and is_time(parts[1])
