// @ts-check
// Accessible tabs: a single stop for the Tab key; arrows, Home and End move between them.

/** @param {HTMLElement} tablist */
export function wireTabs(tablist) {
  const tabs = /** @type {HTMLElement[]} */ ([...tablist.querySelectorAll('[role="tab"]')]);
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => selectTab(tab));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[event.key];
      const next = to === undefined ? undefined : tabs.at(to % tabs.length);
      if (next === undefined) return;
      event.preventDefault();
      selectTab(next);
      next.focus();
    });
  });
}

/** @param {HTMLElement} tab */
export const isSelected = (tab) => tab.getAttribute("aria-selected") === "true";

/**
 * Says on a tab what is new behind it. An open tab shows that itself.
 * @param {HTMLElement} tab
 * @param {string} news "" for none
 */
export function showNews(tab, news) {
  const badge = tab.querySelector(".news");
  if (badge !== null) badge.textContent = isSelected(tab) ? "" : news;
}

/** @param {HTMLElement} selected */
function selectTab(selected) {
  for (const tab of selected.parentElement?.querySelectorAll('[role="tab"]') ?? []) {
    const isChosen = tab === selected;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.setAttribute("tabindex", isChosen ? "0" : "-1");
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (panel !== null) panel.hidden = !isChosen;
  }
  showNews(selected, "");
}
