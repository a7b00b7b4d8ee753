import { randomUUID } from "node:crypto";
import type { Agent, Entity, IDatabaseAdapter, Memory, Room, UUID, World } from "@elizaos/core";

/**
 * An in-memory database with just enough of the interface for an agent that answers messages. Any other call
 * throws an error that names it.
 */
export function createAdapter(): IDatabaseAdapter {
  const agents = new Map<UUID, Partial<Agent>>();
  const entities = new Map<UUID, Entity>();
  const rooms = new Map<UUID, Room>();
  const worlds = new Map<UUID, World>();
  const memories = new Map<UUID, Memory>();
  const participants = new Map<UUID, Set<UUID>>();
  const known = <T>(map: ReadonlyMap<UUID, T>, ids: readonly UUID[]): T[] =>
    ids.flatMap((id) => map.get(id) ?? []);

  const methods = {
    async init() {},
    isReady: async () => true,
    async close() {},
    getAgents: async () => [...agents.values()],
    getAgent: async (id: UUID) => agents.get(id) ?? null,
    async createAgent(agent: Agent) {
      agents.set(agent.id ?? newId(), agent);
      return true;
    },
    async updateAgent(id: UUID, agent: Partial<Agent>) {
      agents.set(id, { ...agents.get(id), ...agent });
      return true;
    },
    getEntitiesByIds: async (ids: UUID[]) => known(entities, ids),
    async createEntities(list: Entity[]) {
      for (const entity of list) entities.set(entity.id ?? newId(), entity);
      return true;
    },
    getRoomsByIds: async (ids: UUID[]) => known(rooms, ids),
    async createRooms(list: Room[]) {
      for (const room of list) rooms.set(room.id, room);
      return list.map(({ id }) => id);
    },
    getWorld: async (id: UUID) => worlds.get(id) ?? null,
    async createWorld(world: World) {
      worlds.set(world.id, world);
      return world.id;
    },
    getParticipantsForRoom: async (id: UUID) => [...(participants.get(id) ?? [])],
    async addParticipantsRoom(ids: UUID[], roomId: UUID) {
      participants.set(roomId, new Set([...(participants.get(roomId) ?? []), ...ids]));
      return true;
    },
    getParticipantUserState: async () => null,
    async createMemory(memory: Memory) {
      const id = memory.id ?? newId();
      memories.set(id, { ...memory, id });
      return id;
    },
    getMemoryById: async (id: UUID) => memories.get(id) ?? null,
    getMemories: async () => [...memories.values()],
    async log() {},
  };
  return new Proxy(Object.create(methods), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (value !== undefined || typeof name === "symbol" || OPTIONAL.has(name)) return value;
      throw new Error(`the database in memory has no ${name}`);
    },
  });
}

/** Optional members that the runtime can do without. */
const OPTIONAL = new Set(["runPluginMigrations", "then", "db"]);

function newId(): UUID {
  return randomUUID();
}
