// @ts-check
// Light, dark or the system's theme. A classic script in the head, so that the page never flashes in the wrong theme.
{
  const KEY = "umpire-playground-theme";
  const NEXT = { auto: "light", light: "dark", dark: "auto" };
  const root = document.documentElement;

  /** @returns {keyof typeof NEXT} */
  const kept = () => {
    try {
      const theme = localStorage.getItem(KEY);
      return theme === "light" || theme === "dark" ? theme : "auto";
    } catch {
      return "auto";
    }
  };
  root.dataset.theme = kept();

  document.addEventListener("DOMContentLoaded", () => {
    const button = /** @type {HTMLElement} */ (document.getElementById("theme"));
    const words = /** @type {HTMLElement} */ (document.getElementById("theme-name"));
    const show = () => (words.textContent = root.dataset.theme ?? "auto");
    show();
    button.addEventListener("click", () => {
      root.dataset.theme = NEXT[/** @type {keyof typeof NEXT} */ (root.dataset.theme)];
      show();
      try {
        localStorage.setItem(KEY, root.dataset.theme);
      } catch {
        // The choice is not kept.
      }
    });
  });
}
