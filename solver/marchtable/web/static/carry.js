// Something of a list is carried to the map by pointer: mouse, pen or finger.

const SLOP = 6; // pixels that a pointer may stray in a click

/**
 * Let an element be dragged onto a board.
 * @param {HTMLElement} element what is taken hold of
 * @param {() => import("./board.js").Board} board
 * @param {() => Element} picture what is shown under the pointer meanwhile
 * @param {(at: string) => void} drop called with the hex on which it was let go
 */
export function carried(element, board, picture, drop) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const done = new AbortController();
    const { signal } = done;
    /** @type {HTMLElement | null} */
    let shown = null;
    const move = (now) => {
      if (!shown && Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < SLOP) return;
      if (!shown) {
        shown = document.createElement("div");
        shown.className = "held";
        shown.append(picture());
        document.body.append(shown);
      }
      shown.style.left = `${now.clientX}px`;
      shown.style.top = `${now.clientY}px`;
    };
    const end = (now, isDropped) => {
      done.abort();
      if (!shown) return;
      shown.remove();
      const at = isDropped && board().at(now);
      if (at) drop(at);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", (now) => end(now, true), { signal });
    addEventListener("pointercancel", (now) => end(now, false), { signal });
  });
}
