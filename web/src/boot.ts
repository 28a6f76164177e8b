import { setNonce } from "get-nonce";
import { serviceWorkerUrl } from "./trusted";

/** Hands the nonce of this page to the dialogs, whose scroll lock writes a style element. */
export function takeNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  if (nonce) setNonce(nonce);
}

/** Makes the shell open without a network. Where that is refused the app works all the same, online. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(serviceWorkerUrl()).catch((error: unknown) => {
    console.warn("The offline shell could not be set up.", error);
  });
}
