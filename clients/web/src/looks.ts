import { noChange } from "lit";
import { directive, Directive, PartType, type ElementPart, type PartInfo } from "lit/directive.js";

type Properties = Readonly<Record<string, string | undefined>>;

class Looks extends Directive {
  private set = new Set<string>();

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("looks() stands in an element's tag");
  }

  render(_properties: Properties | undefined) {
    return noChange;
  }

  override update({ element }: ElementPart, [properties]: [Properties | undefined]) {
    const { style } = element as HTMLElement;
    for (const name of this.set) if (properties?.[name] === undefined) style.removeProperty(name);
    this.set.clear();
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (value === undefined) continue;
      style.setProperty(name, value);
      this.set.add(name);
    }
    return noChange;
  }
}

/**
 * Sets properties of an element's style: `<div ${looks({ "--value": color })}>`. A strict
 * Content-Security-Policy allows that, but not style attributes, which Lit's `styleMap` renders
 * first.
 */
export const looks = directive(Looks);
