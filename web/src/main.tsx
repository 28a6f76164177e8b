import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./theme/fonts.css";
import "./theme/tokens.css";
import "./theme/base.css";
import "./theme/print.css";
import { App } from "./app";
import { registerServiceWorker, takeNonce } from "./boot";
import { applyTextSize, storedTextSize } from "./theme/textSize";
import { applyTheme, storedTheme } from "./theme/theme";

takeNonce();
applyTheme(storedTheme());
applyTextSize(storedTextSize());

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place for the app.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

registerServiceWorker();
