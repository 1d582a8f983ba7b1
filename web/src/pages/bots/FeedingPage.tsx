import { Link, getRouteApi } from "@tanstack/react-router";
import { mayAct } from "../../core/roles.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { Snippet } from "../../ui/Code/Snippet.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { BotPicker } from "../../widgets/BotPicker.tsx";
import { BOT_ID_PLACEHOLDER, TOKEN_PLACEHOLDER, feedCommands } from "./commands.ts";
import { FedBot } from "./FedBot.tsx";
import styles from "./FeedingPage.module.css";
import { ListingCard } from "./ListingCard.tsx";
import { TokensCard } from "./TokensCard.tsx";

const route = getRouteApi("/member/bots/feeding");
const memberRoute = getRouteApi("/member");

/** How the listing is fed: tokens, commands, what each bot's numbers come from, and who may see its pictures. */
export function FeedingPage() {
  const { identity } = memberRoute.useRouteContext();
  const { bot: botId = "", new: newParam } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = mayAct(identity.role, "developer");
  const chooseBot = (id: string) => void navigate({ search: (previous) => ({ ...previous, bot: id }), replace: true, resetScroll: false });
  const changeDialogOpen = (isOpen: boolean) =>
    void navigate({ search: ({ new: _new, ...rest }) => (isOpen ? { ...rest, new: "1" as const } : rest), replace: true, resetScroll: false });
  const commands = feedCommands(window.location.origin, TOKEN_PLACEHOLDER, botId || BOT_ID_PLACEHOLDER);
  return (
    <Page title="Feeding" workspace={identity.workspace.name} crumbs={<Link to="/bots">Rankings</Link>}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <TokensCard
            timezone={identity.workspace.timezone}
            mayWrite={mayWrite}
            isCreating={mayWrite && newParam === "1"}
            onCreatingChange={changeDialogOpen}
            botId={botId}
          />
          <Card title="Send and read">
            <p className={styles.hint}>A profile creates the bot. Replace {TOKEN_PLACEHOLDER} with your token.</p>
            <div className={styles.commands}>
              <Snippet label="Commands" tabs={commands} />
            </div>
          </Card>
        </div>
        <aside className={styles.column} aria-label="One bot and pictures">
          <Card title="One bot" note="where its numbers come from">
            <div className={styles.bot}>
              <BotPicker label="Bot" value={botId} onPick={chooseBot} />
              {botId === "" ? (
                <p className={styles.hint}>Choose a bot to see when it was last fed, and to fill in the commands.</p>
              ) : (
                <FedBot key={botId} id={botId} mayWrite={mayWrite} />
              )}
            </div>
          </Card>
          <ListingCard mayWrite={mayWrite} />
        </aside>
      </div>
    </Page>
  );
}
