/**
 * Say something to people who do not see the page. One polite region serves the whole app, so that twelve widgets
 * cannot talk at once; the same sentence twice is said twice.
 */
export function announce(sentence: string): void {
  const region = document.getElementById(REGION) ?? addRegion();
  region.textContent = "";
  window.setTimeout(() => {
    region.textContent = sentence;
  }, 50);
}

const REGION = "announcements";

function addRegion(): HTMLElement {
  const region = document.createElement("div");
  region.id = REGION;
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.className = "announcements";
  document.body.append(region);
  return region;
}
