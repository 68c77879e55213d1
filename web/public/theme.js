// Runs before the first paint, so that a chosen theme never flashes the other.
(() => {
  try {
    const theme = localStorage.getItem("kernelwake.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's preference then decides.
  }
})();
