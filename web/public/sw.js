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
  return (await kept(request)) ?? keep(request, await fetch(request));
}

/* A browser that refuses to store (no room, forbidden) still has the network: what fails here is only not kept. */
async function kept(request) {
  try {
    return await (await caches.open(CACHE)).match(request);
  } catch {
    return undefined;
  }
}

/* Every address of the app is the same document, so that one copy of it answers for all. */
async function fresh(request) {
  let response;
  try {
    response = await fetch(request);
  } catch {
    return (await kept(SHELL)) ?? Response.error();
  }
  if (isShell(response)) await renew(response.clone()).catch(() => undefined);
  return response;
}

function isShell(response) {
  return response.ok && !response.redirected && (response.headers.get("content-type") ?? "").startsWith("text/html");
}

function keep(request, response) {
  if (response.ok) {
    const copy = response.clone();
    caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => undefined);
  }
  return response;
}

/* A new shell names other files: those that it does not need are let go. */
async function renew(response) {
  const after = await response.clone().text();
  /* Another page of the server is no shell. */
  if (!after.includes('id="root"')) return;
  const cache = await caches.open(CACHE);
  const before = await (await cache.match(SHELL))?.text();
  const names = (text) => (text?.match(/\/assets\/[^"]+/g) ?? []).join();
  if (before !== undefined && names(before) !== names(after))
    for (const request of await cache.keys()) await cache.delete(request);
  await cache.put(SHELL, response);
}
