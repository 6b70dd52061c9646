import type { Context } from "./context.js";

/**
 * Asks before something that cannot be taken back, or that others notice. Frames of other sites may
 * show no `confirm` of the browser, so it is a dialog of the page. The focus is on the way out, and
 * Escape takes it.
 */
export function ask(context: Context, question: string, verb: string): Promise<boolean> {
  const dialog = document.createElement("dialog");
  dialog.className = "asking";
  dialog.setAttribute("role", "alertdialog");
  const text = document.createElement("p");
  text.id = "asking-text";
  text.textContent = context.say(question);
  dialog.setAttribute("aria-labelledby", text.id);
  const form = document.createElement("form");
  form.method = "dialog";
  const buttons = document.createElement("div");
  buttons.className = "buttons";
  const button = (id: string, value: string, kind: string): HTMLButtonElement => {
    const it = document.createElement("button");
    it.value = value;
    it.className = kind;
    it.textContent = context.say(id);
    buttons.append(it);
    return it;
  };
  const out = button("app-cancel", "", "");
  button(verb, "yes", "danger");
  form.append(text, buttons);
  dialog.append(form);
  const { activeElement } = document;
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
    out.focus();
  });
}
