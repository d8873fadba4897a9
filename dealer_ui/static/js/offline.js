// The banner of a page that hears nothing from the studio. It lies over everything, dialogs too, wherever the page is
// scrolled to, and moves nothing; its words are those of whoever the page is for. No countdown stands beside it: what is
// left of a window is the studio's to say.

// `said` makes the text from the page's own words; false takes the banner away.
export function showOffline(said) {
  const banner = document.getElementById("offline");
  if (said) banner.textContent = said(banner.dataset.text, banner);
  if (banner.hidden !== Boolean(said)) return;
  banner.hidden = !said;
  document.documentElement.toggleAttribute("data-offline", Boolean(said));
  if (banner.togglePopover) banner.togglePopover(Boolean(said));
}
