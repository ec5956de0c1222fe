using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "animals", worker = .worker),
    # Workers reach only public addresses otherwise.
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "animals")],
);

const worker :Workerd.Worker = (
  modules = [(name = "workerd.js", esModule = embed "workerd.js")],
  compatibilityDate = "2026-06-01",
  compatibilityFlags = ["nodejs_compat"],
);
