import { describeChat } from "#conformance/chat";
import { createFakeChat } from "#fakes/chat";

describeChat("the chat in memory", async () => {
  const chat = createFakeChat();
  return {
    chat,
    other: () => chat,
    readTexts: () => chat.messages.map(({ text }) => text),
    breakOff: async () => chat.disconnect(),
    fix: async () => chat.connect(),
    loseNextAnswer: () => chat.loseAnswers(1),
    limitNext: (seconds) => chat.limit(1, seconds * 1000),
    archive: () => chat.refuse("setup"),
    remove: (id) => chat.remove(id),
  };
});
