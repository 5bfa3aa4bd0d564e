// linkpress-site: a service worker that stores each page that is opened, to show it again without a network.
const CACHE = "linkpress/$id";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(["./", "app.webmanifest", "icon.svg"])));
});

addEventListener("activate", (event) => event.waitUntil(keepOpenPages()));

async function keepOpenPages() {
  await clients.claim();
  const cache = await caches.open(CACHE);
  const pages = await clients.matchAll({ type: "window" });
  await Promise.allSettled(pages.map(({ url }) => cache.add(url)));
}

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(fresh(event.request));
});

async function fresh(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await store(request, answer.clone()).catch(() => {}); // the device may be full
    return answer;
  } catch {
    return (await caches.match(request, { cacheName: CACHE, ignoreSearch: true })) ?? Response.error();
  }
}

async function store(request, answer) {
  await (await caches.open(CACHE)).put(request, answer);
}
