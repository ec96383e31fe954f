// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules in Lua, for driver.c, which opens this as a library. A script returns a
// function of a record's kind, text and value, that returns a number.
//
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

void *rules_open(const char *Script) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  if (luaL_dofile(L, Script) || !lua_isfunction(L, -1)) {
    lua_close(L);
    return NULL;
  }
  return L;
}

double rules_rate(void *State, const char *Kind, const char *Text, double Value) {
  lua_State *L = State;
  lua_pushvalue(L, 1);
  lua_pushstring(L, Kind);
  lua_pushstring(L, Text);
  lua_pushnumber(L, Value);
  if (lua_pcall(L, 3, 1, 0)) {
    fprintf(stderr, "rules: %s\n", lua_tostring(L, -1));
    exit(1);
  }
  const double Rating = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return Rating;
}

void rules_close(void *State) { lua_close(State); }
