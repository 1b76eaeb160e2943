"""Words on coloured ground, in a colour that can be read there.

Contrast is that of WCAG 2.2, success criterion 1.4.3: (lighter + 0.05) / (darker + 0.05), of
relative luminance. Black or white reaches √21 = 4.58 on every ground, which is more than the 4.5
asked for; no grey does.
"""

Colour = tuple[float, float, float]

BLACK, WHITE = "#000000", "#FFFFFF"


def channels(colour: str) -> Colour:
    """Turn ``#RRGGBB`` into three numbers from 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def between(low: str, high: str, share: float) -> Colour:
    """Mix two colours as a colour scale does, channel by channel."""
    red, green, blue = (
        a + share * (b - a) for a, b in zip(channels(low), channels(high), strict=True)
    )
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Return relative luminance, 0 for black to 1 for white."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def readable_on(ground: Colour) -> str:
    """Return black or white, whichever stands out more."""
    light = luminance(ground) + 0.05
    return WHITE if 1.05 / light > light / 0.05 else BLACK
