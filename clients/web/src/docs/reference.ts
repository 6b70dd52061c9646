import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { applyScheme, preferences } from "../app/preferences.js";

const system = matchMedia("(prefers-color-scheme: dark)");

/** The viewer has a look of its own for the dark, and chooses it by a class. */
function choose(): void {
  const isDark = preferences.scheme === "dark" || (preferences.scheme === "system" && system.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}

applyScheme();
choose();
system.addEventListener("change", choose);

SwaggerUI({
  dom_id: "#reference",
  url: "/openapi.json",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: 0,
  // Calls are tried with the credentials of an operator, not with those of whoever reads.
  supportedSubmitMethods: [],
  validatorUrl: null,
});
