/* The shell of the app without a network. Files under /assets never change under one name; pages come fresh where they can. */
const CACHE = "auritas-1";
const SHELL = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(SHELL)));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(fromCache(request));
  else if (request.mode === "navigate" && !/^\/(api|v1|mcp|health|metrics|open|preview)(\/|$)/.test(url.pathname))
    event.respondWith(fresh(request));
});

async function fromCache(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? keep(cache, request, await fetch(request));
}

/* Every address of the app is the same document, so that one copy of it answers for all. */
async function fresh(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (isShell(response)) await renew(cache, response.clone());
    return response;
  } catch {
    return (await cache.match(SHELL)) ?? Response.error();
  }
}

function isShell(response) {
  return response.ok && !response.redirected && (response.headers.get("content-type") ?? "").startsWith("text/html");
}

function keep(cache, request, response) {
  if (response.ok) cache.put(request, response.clone());
  return response;
}

/* A new shell names other files: those that it does not need are let go. */
async function renew(cache, response) {
  const before = await (await cache.match(SHELL))?.text();
  const after = await response.clone().text();
  const names = (text) => (text?.match(/\/assets\/[^"]+/g) ?? []).join();
  if (before !== undefined && names(before) !== names(after))
    for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(SHELL, response);
}
