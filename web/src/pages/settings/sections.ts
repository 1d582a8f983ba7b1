import type { ComponentType } from "react";
import type { Role } from "../../core/roles.ts";
import { lazily } from "../../ui/lazily.ts";
import { DataSection } from "./DataSection.tsx";
import { KeyboardSection } from "./KeyboardSection.tsx";
import { PasswordSection } from "./PasswordSection.tsx";
import { PrivacySection } from "./PrivacySection.tsx";
import { SessionsSection } from "./SessionsSection.tsx";
import { ThemeSection } from "./ThemeSection.tsx";
import { UsageSection } from "./UsageSection.tsx";
import { WorkspaceSection } from "./WorkspaceSection.tsx";

const AuditSection = lazily(() => import("./AuditSection.tsx"), "AuditSection");
const EnvironmentsSection = lazily(() => import("./EnvironmentsSection.tsx"), "EnvironmentsSection");
const GroupKeysSection = lazily(() => import("./GroupKeysSection.tsx"), "GroupKeysSection");
const MembersSection = lazily(() => import("./MembersSection.tsx"), "MembersSection");
const TokensSection = lazily(() => import("./TokensSection.tsx"), "TokensSection");

/** A part of the settings. */
export interface SettingsSection {
  /** Behind "#" in its address. */
  id: string;
  title: string;
  /** The role from which on somebody sees it. */
  role: Role;
  Content: ComponentType;
  /** How high it will be about, in px, where it is loaded by itself. */
  height?: number;
}

/** All parts in their order: the workspace first, then one's own account, then the log. */
export const SECTIONS: readonly SettingsSection[] = [
  { id: "workspace", title: "Workspace", role: "viewer", Content: WorkspaceSection },
  { id: "usage", title: "Usage", role: "viewer", Content: UsageSection, height: 150 },
  { id: "environments", title: "Environments", role: "viewer", Content: EnvironmentsSection, height: 110 },
  { id: "members", title: "Members", role: "viewer", Content: MembersSection, height: 80 },
  { id: "group-keys", title: "Group keys", role: "viewer", Content: GroupKeysSection, height: 110 },
  { id: "tokens", title: "Tokens", role: "viewer", Content: TokensSection, height: 110 },
  { id: "data", title: "Import and export", role: "viewer", Content: DataSection },
  { id: "privacy", title: "Privacy", role: "developer", Content: PrivacySection },
  { id: "password", title: "Password", role: "viewer", Content: PasswordSection },
  { id: "sessions", title: "Sessions", role: "viewer", Content: SessionsSection },
  { id: "theme", title: "Theme", role: "viewer", Content: ThemeSection },
  { id: "keyboard", title: "Keyboard", role: "viewer", Content: KeyboardSection },
  { id: "audit", title: "Audit", role: "admin", Content: AuditSection, height: 180 },
];
