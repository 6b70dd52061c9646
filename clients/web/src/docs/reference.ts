import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { applyScheme, preferences } from "../app/preferences.js";

const system = matchMedia("(prefers-color-scheme: dark)");

/** The viewer has its own dark scheme, which a class selects. */
function choose(): void {
  const isDark = preferences.scheme === "dark" || (preferences.scheme === "system" && system.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}

applyScheme();
choose();
system.addEventListener("change", choose);

SwaggerUI({
  dom_id: "#reference",
  url: "../openapi.json",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: 0,
  // Calls need an operator's credentials, which readers of this page do not have.
  supportedSubmitMethods: [],
  validatorUrl: null,
});
