/** An amount in words, such as `20M ISK`; its number counts up or down to a new value. */
export class CroupierAmount extends HTMLElement {
  private shown = "";
  private frame = 0;

  /** The amount as text. */
  set text(text: string) {
    if (text === this.shown) return;
    const before = numberIn(this.shown);
    const after = numberIn(text);
    this.shown = text;
    cancelAnimationFrame(this.frame);
    const isStill = before === undefined || after === undefined || before === after || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isStill) this.textContent = text;
    else this.count(text, before, after);
  }

  private count(text: string, before: number, after: number) {
    const start = performance.now();
    const step = (now: number) => {
      const done = Math.min(1, (now - start) / 420);
      const number = Math.round(before + (after - before) * done);
      this.textContent = done < 1 ? text.replace(/-?\d+/, String(number)) : text;
      if (done < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }
}

function numberIn(text: string): number | undefined {
  const found = /-?\d+/.exec(text)?.[0];
  return found === undefined ? undefined : Number(found);
}

if (!customElements.get("croupier-amount")) customElements.define("croupier-amount", CroupierAmount);
