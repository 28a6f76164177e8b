/** The one thing that this page may load as a script besides its own bundle. */
const SERVICE_WORKER = "/sw.js";

interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptUrlPolicy;
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypesFactory;
  }
}

/** Returns `url` unchanged where it is the service worker. Throws TypeError for everything else. */
export function onlyServiceWorker(url: string): string {
  if (url !== SERVICE_WORKER) throw new TypeError("Auritas loads no scripts by address.");
  return url;
}

// The policy may be made once per page: Content-Security-Policy names it without 'allow-duplicates'.
const policy = window.trustedTypes?.createPolicy("auritas", { createScriptURL: onlyServiceWorker });

/** The address of the service worker in the form that this browser wants it. */
export function serviceWorkerUrl(): string {
  // The DOM's types know only strings here, while browsers with Trusted Types want the wrapped value.
  return (policy?.createScriptURL(SERVICE_WORKER) ?? SERVICE_WORKER) as string;
}
