// Every text on the page that cannot be read whole: beyond the window, cut off, out of its box, over or under another.
// What may be shortened (names that people chose) comes as `names`; it may end in an ellipsis, nothing else may.
(names) => {
  const SLACK = 1.5;
  const root = document.documentElement;
  const wide = innerWidth;
  const found = new Set();
  const styles = new Map();
  const styleOf = (node) => styles.get(node) || styles.set(node, getComputedStyle(node)).get(node);
  const HIDES = ["hidden", "clip"];
  const SCROLLS = ["auto", "scroll"];
  const called = (node) => node.tagName.toLowerCase() + (node.id ? `#${node.id}` : "")
    + [...node.classList].slice(0, 2).map((one) => `.${one}`).join("");
  const short = (text) => text.trim().replace(/\s+/g, " ").slice(0, 32);
  const say = (what, node, text, more = "") => {
    const where = node.parentElement ? `${called(node.parentElement)} > ${called(node)}` : called(node);
    found.add(`${what}: "${short(text)}" in ${where}${more ? ` ${more}` : ""}`);
  };
  const ancestors = function* (node) { for (let at = node; at && at !== document; at = at.parentElement) yield at; };
  const opaque = (colour) => !/rgba?\(.*(, 0|\/ 0)\)$|transparent/.test(colour);
  const painted = (node) => {
    const style = styleOf(node);
    return opaque(style.backgroundColor) || style.backgroundImage !== "none"
      || ["Top", "Right", "Bottom", "Left"].some((side) => parseFloat(style[`border${side}Width`]) > 0
        && style[`border${side}Style`] !== "none");
  };
  // Only said aloud, never seen.
  const unseen = (node) => [...ancestors(node)].some((at) => styleOf(at).clipPath.startsWith("inset(50%")
    || styleOf(at).clip === "rect(0px, 0px, 0px, 0px)");
  const shortened = (node, text) => names.some((name) => text.includes(name))
    && [...ancestors(node)].find((at) => styleOf(at).textOverflow === "ellipsis");
  // The line box of a letter is taller than its ink.
  const ink = (rect) => ({ left: rect.left, right: rect.right, top: rect.top + rect.height * .2,
    bottom: rect.bottom - rect.height * .16 });
  const bounds = (node) => node.getBoundingClientRect();

  // --- the texts ---
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("script, style, noscript, template, option, title, desc")) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || unseen(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width <= 1 || rect.height <= 1) continue;
      const one = { node, parent, text: node.textContent, ...ink(rect) };
      const ends = shortened(parent, one.text);
      if (ends) Object.assign(one, { left: Math.max(one.left, bounds(ends).left), right: Math.min(one.right, bounds(ends).right) });
      if (one.right > one.left) texts.push(one);
    }
  }

  // --- beyond the window, cut off, out of its box ---
  if (root.scrollWidth > wide) found.add(`the page is ${root.scrollWidth - wide} wider than its window`);
  const still = [root, document.body].some((at) => HIDES.includes(styleOf(at).overflowY));
  for (const one of texts) {
    const chain = [...ancestors(one.parent)];
    const rolls = chain.find((at) => SCROLLS.includes(styleOf(at).overflowX) && at.scrollWidth > at.clientWidth + 1);
    if (!rolls && (one.right > wide + SLACK || one.left < -SLACK)) say("beyond the window", one.parent, one.text);
    const inward = chain.some((at) => SCROLLS.includes(styleOf(at).overflowY));
    if (still && !inward && one.bottom > innerHeight + SLACK) say("below the window", one.parent, one.text);
    let boxed = false;
    for (const at of chain) {
      const style = styleOf(at);
      const rect = bounds(at);
      const out = Math.max(rect.left - one.left, one.right - rect.right);
      const under = Math.max(rect.top - one.top, one.bottom - rect.bottom);
      if (HIDES.includes(style.overflowX) && out > SLACK) {
        say("cut off", one.parent, one.text, `by ${called(at)}`);
      }
      if (HIDES.includes(style.overflowY) && under > SLACK) say("cut off", one.parent, one.text, `by ${called(at)}`);
      if (SCROLLS.includes(style.overflowX) || SCROLLS.includes(style.overflowY)) break;
      if (!boxed && at !== document.body && at !== root && style.display !== "inline" && painted(at)) {
        boxed = true;
        if (out > SLACK || under > SLACK) say("out of its box", one.parent, one.text, `${called(at)}`);
      }
      if (["fixed", "absolute"].includes(style.position)) boxed = true;
    }
  }
  for (const at of document.querySelectorAll("body *")) {
    if (!SCROLLS.includes(styleOf(at).overflowX) || at.scrollWidth <= at.clientWidth + 1 || !bounds(at).width) continue;
    if (!styleOf(at).backgroundAttachment.includes("local")) say("scrolls sideways and does not show it", at, at.textContent);
  }

  // --- what is written or chosen in a field ---
  const pen = document.createElement("canvas").getContext("2d");
  const broad = (node, text) => {
    pen.font = getComputedStyle(node, node.tagName === "INPUT" ? "::placeholder" : null).font;
    return pen.measureText(text).width;
  };
  for (const field of document.querySelectorAll("input, select, textarea")) {
    if (!field.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || unseen(field)) continue;
    if (["checkbox", "radio", "range", "color", "file", "date", "time", "datetime-local"].includes(field.type)) continue;
    const style = styleOf(field);
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (room <= 0) continue;
    const choice = field.tagName === "SELECT";
    const text = choice ? field.selectedOptions[0]?.text || "" : field.value ? "" : field.placeholder;
    const over = text ? broad(field, text) - room + (choice ? 18 : 0) : 0;
    if (over > 1 && field.tagName !== "TEXTAREA" && !names.some((name) => text.includes(name))) {
      say("cut off", field, text, `by ${Math.round(over)}`);
    }
  }

  // --- one text over another ---
  const floats = (node) => [...ancestors(node)].find((at) => ["fixed", "sticky"].includes(styleOf(at).position));
  const layers = new Map();
  const layerOf = (node) => layers.get(node) || layers.set(node, node.closest("dialog, details > nav") || floats(node) || root).get(node);
  const within = (one) => {
    const rolls = [...ancestors(one.parent)].find((at) => [...SCROLLS, ...HIDES].includes(styleOf(at).overflowY));
    const rect = rolls && rolls !== root && rolls !== document.body ? bounds(rolls) : null;
    return !rect || (one.top < rect.bottom && one.bottom > rect.top && one.left < rect.right && one.right > rect.left);
  };
  const lying = texts.filter(within).sort((a, b) => a.top - b.top);
  lying.forEach((one, at) => {
    for (let next = at + 1; next < lying.length && lying[next].top < one.bottom - SLACK; next += 1) {
      const other = lying[next];
      if (one.node === other.node || layerOf(one.parent) !== layerOf(other.parent)) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > SLACK && down > SLACK) say("over another", one.parent, one.text, `and "${short(other.text)}" in ${called(other.parent)}`);
    }
  });

  // --- a box over a text ---
  const seen = new CSSStyleSheet();
  seen.replaceSync("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, seen];
  const covers = (top) => top.checkVisibility({ opacityProperty: true }) && ((opaque(styleOf(top).backgroundColor) && !/rgba?\(.*[,/] 0?\.[0-4]\d*\)$/.test(styleOf(top).backgroundColor))
    || ["IMG", "CANVAS", "VIDEO"].includes(top.tagName));
  for (const one of lying) {
    const middle = (one.top + one.bottom) / 2;
    if (middle < 0 || middle > innerHeight) continue;
    for (const x of [one.left + 2, (one.left + one.right) / 2, one.right - 2]) {
      const stack = document.elementsFromPoint(x, middle);
      const at = stack.findIndex((node) => node === one.parent || node.contains(one.parent) || one.parent.contains(node));
      const over = (at < 0 ? [] : stack.slice(0, at)).find((node) => covers(node) && layerOf(node) === layerOf(one.parent));
      if (over) { say("under a box", one.parent, one.text, called(over)); break; }
    }
  }
  document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
  return [...found];
}
