// Live pictures: an image with `data-refresh` is asked for again and again while it can be seen.

const EVERY_MS = 1000;
const NOTHING_MS = 5000;

export function startPictures() {
  for (const picture of document.querySelectorAll("img[data-refresh]")) renew(picture);
  setInterval(() => {
    if (document.hidden) return;
    for (const picture of document.querySelectorAll("img[data-refresh]")) renew(picture);
  }, EVERY_MS);
}

function renew(picture) {
  if (picture.dataset.loading) return;
  picture.dataset.loading = "true";
  const next = new Image();
  next.onload = () => { picture.src = next.src; picture.dataset.shown = "true"; delete picture.dataset.loading; };
  next.onerror = () => { delete picture.dataset.shown; setTimeout(() => { delete picture.dataset.loading; }, NOTHING_MS); };
  next.src = `${picture.src.split("?")[0]}?t=${Date.now()}`;
}
