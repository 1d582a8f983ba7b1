import { chooseTheme, useThemeChoice } from "../../scope/theme.ts";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { Row, Rows } from "./Rows.tsx";
import { Section } from "./Section.tsx";

const CHOICES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
] as const;

/** Light, dark, or as the system has it. */
export function ThemeSection() {
  const choice = useThemeChoice();
  return (
    <Section id="theme" title="Theme">
      <Rows>
        <Row label="Colors" hint="Saved in this browser. System follows your device.">
          <Segmented label="Theme" value={choice} onChange={chooseTheme} options={CHOICES} />
        </Row>
      </Rows>
    </Section>
  );
}
