// What is wrong with a page as it is shown now, a sentence each.
(() => {
  const problems = [];
  const check = (ok, text) => { if (!ok) problems.push(text); };
  const all = selector => [...document.querySelectorAll(selector)];
  const words = e => e.textContent.trim().slice(0, 60);

  check(document.documentElement.lang === "en", "the page has no language");
  check(document.title !== "", "the page has no title");
  const room = document.documentElement.clientWidth;
  check(document.documentElement.scrollWidth <= room, `the page is ${document.documentElement.scrollWidth} px wide in ${room} px`);
  check(all("script, link, img, iframe").length === 0, "the page has a script, or something from elsewhere");

  // Headings: one first, none that skips a level.
  let level = 0;
  for (const h of all("h1, h2, h3, h4, h5, h6")) {
    const next = Number(h.tagName[1]);
    check(next <= level + 1, `heading "${words(h)}" of level ${next} comes after level ${level}`);
    level = next;
  }
  check(all("h1").length === 1, `there are ${all("h1").length} main headings`);
  check(all("h2").length > 0, "there is no section");
  for (const s of all("main > section")) {
    check(s.querySelector("h2") !== null, "a section has no heading");
  }

  // Names and places.
  const ids = new Set();
  for (const e of all("[id]")) {
    check(!ids.has(e.id), `two elements are called ${e.id}`);
    ids.add(e.id);
  }
  for (const a of all("a")) {
    check(ids.has(a.hash.slice(1)), `the link "${words(a)}" leads nowhere: ${a.hash}`);
    check(a.textContent.trim() !== "", "a link has no words");
  }
  for (const s of all("svg")) {
    if (s.ownerSVGElement !== null) continue;
    const title = s.querySelector(":scope > title");
    check(s.getAttribute("role") === "img" && title !== null && title.textContent.length > 10, `a chart has no name: ${words(s)}`);
    check(!/NaN|Inf|undefined/.test(s.outerHTML), `a chart has a number that is none: ${words(s)}`);
  }
  for (const t of all("table")) {
    check(t.caption !== null && t.caption.textContent !== "", "a table has no caption");
    for (const th of t.querySelectorAll("th")) {
      check(th.scope !== "", `the table head "${words(th)}" has no scope`);
    }
    const columns = [...t.tHead.rows].at(-1).cells.length;
    for (const row of t.tBodies[0].rows) {
      check(row.cells[0].tagName === "TH" && row.cells[0].scope === "row", `a row has no head: "${words(row)}"`);
      check(row.cells.length === columns, `a row has ${row.cells.length} of ${columns} cells: "${words(row)}"`);
    }
  }
  for (const e of all(".scroll")) {
    check(e.tabIndex === 0 && e.getAttribute("aria-label") !== "", "a table that scrolls cannot be reached by keyboard");
  }

  // Text stands out from what is behind it: 4.5 to 1 (WCAG 2.2, 1.4.3).
  const channels = color => color.match(/[\d.]+/g).map(Number);
  const light = color => {
    const [r, g, b] = channels(color).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const known = new Map();
  const behind = e => {
    if (e === null) return "rgb(255, 255, 255)";
    if (!known.has(e)) {
      const color = getComputedStyle(e).backgroundColor;
      const [, , , alpha = 1] = channels(color);
      known.set(e, alpha > 0 ? color : behind(e.parentElement));
    }
    return known.get(e);
  };
  const poor = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n !== null; n = walker.nextNode()) {
    const e = n.parentElement;
    if (n.data.trim() === "" || e.tagName === "title" || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const color = e.ownerSVGElement ? style.fill : style.color;
    const [a, b] = [light(color), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.add(`contrast ${ratio.toFixed(2)} of ${color} on ${behind(e)}: "${words(e)}"`);
  }
  problems.push(...poor);

  // Letters of charts stay inside the page and on their own.
  for (const t of all("svg text")) {
    if (!t.checkVisibility()) continue;
    const box = t.getBoundingClientRect();
    check(box.left >= 0 && box.right <= room, `letters of a chart leave the page: "${words(t)}"`);
  }
  for (const s of all("svg.plot")) {
    if (!s.checkVisibility()) continue;
    const ticks = [...s.querySelectorAll("text.tick")].map(t => [t, t.getBoundingClientRect()]);
    ticks.forEach(([t, a], i) => ticks.slice(i + 1).forEach(([u, b]) => {
      const apart = a.right <= b.left || b.right <= a.left || a.bottom - 3 <= b.top || b.bottom - 3 <= a.top;
      check(apart, `"${words(t)}" and "${words(u)}" overlap in ${s.querySelector("title").textContent}`);
    }));
  }
  return problems;
})()
