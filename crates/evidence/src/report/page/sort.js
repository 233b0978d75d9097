"use strict";
// Each heading of a table is a button that sorts by its column, first ascending, then descending.
// Numbers sort by data-sort, or by what is shown; cells without a value stay last; ties keep their order.
(() => {
  const announcer = document.getElementById("announcer");
  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const value = (row, column, numeric) => {
    const cell = row.cells[column];
    if (!cell) return null;
    if (!numeric) return cell.textContent.trim() || null;
    const number = Number(cell.dataset.sort ?? (cell.textContent.trim() || NaN));
    return Number.isNaN(number) ? null : number;
  };
  const sort = (table, heading) => {
    const column = heading.cellIndex;
    const body = table.tBodies[0];
    const numeric = heading.classList.contains("number");
    const direction = heading.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = Array.from(body.rows, (row) => ({ row, key: value(row, column, numeric) }));
    keyed.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return sign * (numeric ? a.key - b.key : words.compare(a.key, b.key));
    });
    body.append(...keyed.map(({ row }) => row));
    for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction);
    announcer.textContent = "Sorted by " + heading.textContent.trim() + ", " + direction;
  };
  // A link to a failure opens what it is folded in.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target.parentElement; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      const arrow = document.createElement("span");
      arrow.className = "arrow";
      arrow.ariaHidden = "true";
      button.append(...heading.childNodes, arrow);
      button.addEventListener("click", () => sort(table, heading));
      heading.append(button);
    }
  }
})();
