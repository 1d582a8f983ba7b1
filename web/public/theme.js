// Runs before the first paint, so that a dark page never flashes white.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch (blocked) {
    // Storage is switched off: the system decides.
  }
  // A public dashboard takes the theme that its address names, as in `?theme=dark`.
  var asked = location.pathname.startsWith("/p/") ? new URLSearchParams(location.search).get("theme") : null;
  if (asked === "light" || asked === "dark" || asked === "auto") chosen = asked;
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
