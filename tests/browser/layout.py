"""Scripts with which the tests of layout find problems in a page; each returns a list, empty if there is none."""

# WCAG 2.2, 1.4.12, as a style sheet of the reader's own.
SPACED = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
    p { margin-bottom: 2em !important }`);
document.adoptedStyleSheets = [sheet];
"""

# What is pressed, smaller than `least`, and nearer than that to another (2.5.8). In a line of text it may be small.
SMALL = """(least) => {
    const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest("[inert]");
    const boxOf = (each) => (each.labels?.[0]?.contains(each) ? each.labels[0] : each).getBoundingClientRect();
    const isInLine = (each) => getComputedStyle(each).display === "inline" || each.matches(".link-button");
    const reaches = ({ x, y, width, height }, { left, right, top, bottom }) => {
        const [atX, atY] = [x + width / 2, y + height / 2];
        return Math.hypot(Math.max(left - atX, 0, atX - right), Math.max(top - atY, 0, atY - bottom)) < least / 2;
    };
    const pressed = "a[href], button, summary, input, select, textarea, [role=button]";
    const all = [...document.querySelectorAll(pressed)].filter(isShown).map((each) => [each, boxOf(each)])
        .filter(([, { width, height, right, bottom }]) => width && height && right > 0 && bottom > 0);
    const isSmall = ([each, { width, height }]) => Math.min(width, height) < least - 0.5 && !isInLine(each);
    const isNear = ([each, box]) => all.some(([other, around]) =>
        other !== each && !each.contains(other) && !other.contains(each) && reaches(box, around));
    return all.filter((each) => isSmall(each) && isNear(each))
        .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 90)} ${width | 0}×${height | 0}`);
}"""

# Fields of ours (Django's admin is not) with words so small that a phone (iOS, below 16 px) enlarges the page for them.
ENLARGED = """() => {
    if (!matchMedia("(pointer: coarse)").matches) throw Error("nothing is touched here");
    const pressed = ["submit", "hidden", "checkbox", "radio", "range", "file"];
    return [...document.querySelectorAll("body:not(:has(#user-tools)) :is(textarea, select, input)")]
        .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 16 && !pressed.includes(each.type))
        .map((each) => each.outerHTML.slice(0, 90));
}"""

# Text of which its own box hides a part.
CUT = """() => [...document.querySelectorAll("button, .button, summary, label, legend, dt, dd, th, h1, h2, h3, .badge")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.clientHeight
        && !each.closest(".visually-hidden, [inert]") && getComputedStyle(each).overflowY === "hidden"
        && each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.outerHTML.slice(0, 90))"""

# Two parts of the bar on top that lie over each other.
OVERLAID = """() => {
    const parts = [...document.querySelectorAll(".topbar > *")].map((each) => {
        const range = document.createRange();
        range.selectNodeContents(each.querySelector(":scope > summary") ?? each);
        const measured = each.matches(".button") ? each : range;
        const { left, right, top, bottom, width, height } = measured.getBoundingClientRect();
        const isCut = getComputedStyle(each).overflowX !== "visible";
        const end = isCut ? Math.min(right, each.getBoundingClientRect().right) : right;
        return [each.className, { left, right: end, top, bottom, width, height }];
    }).filter(([, box]) => box.width > 1 && box.height > 1);
    const isOver = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom;
    return parts.flatMap(([name, one], n) => parts.slice(n + 1).filter(([, two]) => isOver(one, two))
        .map(([other]) => `${name} over ${other}`));
}"""

# What moves by itself, or takes its time.
MOVES = """() => [...document.querySelectorAll("*")].flatMap((each) => ["", "::before", "::after"].map((part) => {
    const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(each, part);
    const moves = animationName !== "none" || scrollBehavior === "smooth" || !/^(0s(, )?)+$/.test(transitionDuration);
    return moves ? `${each.outerHTML.slice(0, 80)}${part}` : null;
})).filter(Boolean)"""


WIDTH = "document.documentElement.scrollWidth"


def widest(page) -> int:
    """Return the width of the open page in CSS pixels."""
    return page.evaluate(WIDTH)
