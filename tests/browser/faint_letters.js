// Every text on the page whose contrast against its ground is below WCAG AA, with the ratio found.
() => {
  const FELT = [26, 90, 69, 1];
  const PAGE = [12, 18, 16];
  const read = (text) => {
    const found = text.match(/[\d.]+/g).map(Number);
    return found.length < 4 ? [...found, 1] : found;
  };
  const over = (top, under) => top.slice(0, 3).map((part, i) => part * top[3] + under[i] * (1 - top[3]));
  const curve = (part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * curve(r) + 0.7152 * curve(g) + 0.0722 * curve(b);
  const groundOf = (node) => {
    const layers = [];
    for (; node; node = node.parentElement) {
      const layer = node.classList.contains("felt") ? FELT : read(getComputedStyle(node).backgroundColor);
      if (layer[3]) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((found, layer) => over(layer, found), PAGE);
  };
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const found = [];
  for (const node of document.querySelectorAll("body *")) {
    if (!node.offsetParent || node.closest("svg, noscript, .ghost, [disabled]") || !hasText(node)) continue;
    const style = getComputedStyle(node);
    const ground = groundOf(node);
    const [bright, dark] = [light(over(read(style.color), ground)), light(ground)].sort((a, b) => b - a);
    const ratio = (bright + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push([node.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return found;
}
