// Runs before the first paint, so that a dark page never flashes white.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch (blocked) {
    // Storage is switched off: the system decides.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
