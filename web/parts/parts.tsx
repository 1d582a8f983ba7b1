import "../src/ui/layers.css";
import "../src/ui/reset.css";
import "../src/ui/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Toasts } from "../src/ui/Toast/Toasts.tsx";
import { Controls } from "./Controls.tsx";
import { Fields } from "./Fields.tsx";
import { Overlays } from "./Overlays.tsx";
import styles from "./parts.module.css";
import { Surfaces } from "./Surfaces.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element.");

createRoot(root).render(
  <StrictMode>
    <main className={styles.page}>
      <h1 className={styles.name}>Parts</h1>
      <Controls />
      <Fields />
      <Overlays />
      <Surfaces />
    </main>
    <Toasts />
  </StrictMode>,
);
